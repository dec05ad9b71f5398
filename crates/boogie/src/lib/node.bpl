// Linked lists over locations; needs the base library. Names and signatures are those that Boogie
// programs expect; the definitions are ours.

datatype Node<Val> { Node(next: Option Loc, val: Val) }

// Starting at x and following the links of f, one meets y, and z not before y.
function Between<Val>(f: [One Loc]Node Val, x: Option Loc, y: Option Loc, z: Option Loc): bool;

axiom (forall<Val> f: [One Loc]Node Val, x: Option Loc :: {Between(f, x, x, x)} Between(f, x, x, x));
axiom (forall<Val> f: [One Loc]Node Val, x: Loc ::
  {f[One(x)]} Between(f, Some(x), f[One(x)]->next, f[One(x)]->next));
axiom (forall<Val> f: [One Loc]Node Val, x: Loc, y: Option Loc ::
  {f[One(x)], Between(f, Some(x), y, y)}
  Between(f, Some(x), y, y) ==> y == Some(x) || Between(f, f[One(x)]->next, y, y));
axiom (forall<Val> f: [One Loc]Node Val, x: Option Loc, y: Option Loc ::
  {Between(f, x, y, x)} Between(f, x, y, x) ==> x == y);
axiom (forall<Val> f: [One Loc]Node Val, x: Option Loc, y: Option Loc, z: Option Loc ::
  {Between(f, x, y, z)} Between(f, x, y, z) ==> Between(f, x, y, y) && Between(f, y, z, z));
axiom (forall<Val> f: [One Loc]Node Val, x: Option Loc, y: Option Loc, z: Option Loc ::
  {Between(f, x, y, y), Between(f, y, z, z)}
  Between(f, x, y, y) && Between(f, y, z, z) ==> Between(f, x, z, z));

function {:inline} BetweenSet<Val>(f: [One Loc]Node Val, x: Option Loc, z: Option Loc): [Loc]bool
{
  (lambda y: Loc :: Between(f, x, Some(y), z))
}

// The list from `start` ends, and all its nodes are in the domain.
function {:inline} InDomain<Val>(nodes: Map (One Loc) (Node Val), start: Option Loc): bool
{
  Between(nodes->val, start, start, None()) &&
  (forall x: Loc :: Between(nodes->val, start, Some(x), None()) ==> Map_Contains(nodes, One(x)))
}
