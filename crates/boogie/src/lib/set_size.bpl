// Sizes of finite sets; needs the base library. Names and signatures are those that Boogie programs
// expect; the definitions are ours.

function Set_Size<Elem>(a: [Elem]bool): int;

axiom (forall<Elem> :: Set_Size(Set_Empty(): [Elem]bool) == 0);
axiom (forall<Elem> a: [Elem]bool :: {Set_Size(a)} a == Set_Empty() || Set_Size(a) > 0);
axiom (forall<Elem> a: [Elem]bool, e: Elem :: {Set_Size(a[e := true])}
  Set_Size(a[e := true]) == Set_Size(a) + (if a[e] then 0 else 1));
axiom (forall<Elem> a: [Elem]bool, e: Elem :: {Set_Size(a[e := false])}
  Set_Size(a[e := false]) == Set_Size(a) - (if a[e] then 1 else 0));
axiom (forall<Elem> a: [Elem]bool, b: [Elem]bool :: {MapDiff(a, b)} {MapAnd(a, b)} {MapOr(a, b)}
  Set_Size(MapDiff(a, b)) == Set_Size(a) - Set_Size(MapAnd(a, b)));
axiom (forall<Elem> a: [Elem]bool, b: [Elem]bool :: {MapOr(a, b)} {MapAnd(a, b)}
  Set_Size(MapOr(a, b)) == Set_Size(a) + Set_Size(b) - Set_Size(MapAnd(a, b)));

pure procedure Lemma_SetSize_Subset<Elem>(a: [Elem]bool, b: [Elem]bool);
  requires Set_IsSubset(a, b);
  ensures Set_Size(a) < Set_Size(b) || a == b;
