//! A summary is linear in the size of its region.

mod shapes;

#[test]
fn summaries_grow_with_their_regions_and_not_faster() {
    for (name, shape) in shapes::SHAPES {
        let ratio = |n| {
            let (region, summary) = shapes::sizes(&shape(n));
            summary as f64 / region as f64
        };
        let (small, large) = (ratio(100), ratio(1600));
        assert!(large < small * 1.1, "{name}: {small} nodes for each of the region's at 100, {large} at 1600");
    }
}
