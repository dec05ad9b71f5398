// The base library. Names and signatures are those that Boogie programs written for its own base
// library expect; the definitions are ours.

// Pointwise operations on maps.

function {:builtin "MapConst"} MapConst<Key, Val>(value: Val): [Key]Val;
function {:builtin "MapEq"} MapEq<Key, Val>(a: [Key]Val, b: [Key]Val): [Key]bool;
function {:builtin "MapIte"} MapIte<Key, Val>(c: [Key]bool, a: [Key]Val, b: [Key]Val): [Key]Val;

function {:builtin "MapNot"} MapNot<Key>(a: [Key]bool): [Key]bool;
function {:builtin "MapAnd"} MapAnd<Key>(a: [Key]bool, b: [Key]bool): [Key]bool;
function {:builtin "MapOr"} MapOr<Key>(a: [Key]bool, b: [Key]bool): [Key]bool;
function {:builtin "MapImp"} MapImp<Key>(a: [Key]bool, b: [Key]bool): [Key]bool;
function {:builtin "MapIff"} MapIff<Key>(a: [Key]bool, b: [Key]bool): [Key]bool;

function {:builtin "MapAdd"} MapAdd<Key>(a: [Key]int, b: [Key]int): [Key]int;
function {:builtin "MapSub"} MapSub<Key>(a: [Key]int, b: [Key]int): [Key]int;
function {:builtin "MapMul"} MapMul<Key>(a: [Key]int, b: [Key]int): [Key]int;
function {:builtin "MapDiv"} MapDiv<Key>(a: [Key]int, b: [Key]int): [Key]int;
function {:builtin "MapMod"} MapMod<Key>(a: [Key]int, b: [Key]int): [Key]int;
function {:builtin "MapLt"} MapLt<Key>(a: [Key]int, b: [Key]int): [Key]bool;
function {:builtin "MapLe"} MapLe<Key>(a: [Key]int, b: [Key]int): [Key]bool;
function {:builtin "MapGt"} MapGt<Key>(a: [Key]int, b: [Key]int): [Key]bool;
function {:builtin "MapGe"} MapGe<Key>(a: [Key]int, b: [Key]int): [Key]bool;

function {:inline} MapDiff<Key>(a: [Key]bool, b: [Key]bool): [Key]bool { MapAnd(a, MapNot(b)) }
function {:inline} MapOne<Key>(key: Key): [Key]bool { (MapConst(false): [Key]bool)[key := true] }

function {:inline} ToMultiset<Key>(a: [Key]bool): [Key]int { MapIte(a, MapConst(1), MapConst(0)) }
function {:inline} IsSubset<Key>(a: [Key]bool, b: [Key]bool): bool { MapDiff(a, b) == MapConst(false) }
function {:inline} IsDisjoint<Key>(a: [Key]bool, b: [Key]bool): bool { MapAnd(a, b) == MapConst(false) }

function {:inline} Id<Any>(value: Any): Any { value }

// Some value of each type.
function Default<Any>(): Any;

// An element of a set that is not empty.
function Choice<Any>(a: [Any]bool): Any;
axiom (forall<Any> a: [Any]bool :: {Choice(a)} a[Choice(a)] || a == MapConst(false));

datatype Option<Any> { None(), Some(t: Any) }

// Vectors: a vector of length n has its elements at 0, …, n - 1, and the default value elsewhere, so
// that vectors with equal elements are equal.

datatype Vec<Elem> { Vec(contents: [int]Elem, len: int) }

axiom {:ctor "Vec"} (forall<Elem> v: Vec Elem :: {v->len} 0 <= v->len);
axiom {:ctor "Vec"} (forall<Elem> v: Vec Elem, i: int ::
  {v->contents[i]} i < 0 || v->len <= i ==> v->contents[i] == Default());

function {:inline} Vec_Empty<Elem>(): Vec Elem { Vec(MapConst(Default()), 0) }
function {:inline} Vec_Len<Elem>(v: Vec Elem): int { v->len }
function {:inline} Vec_Nth<Elem>(v: Vec Elem, i: int): Elem { v->contents[i] }
function {:inline} Vec_Contains<Elem>(v: Vec Elem, i: int): bool { 0 <= i && i < v->len }

function {:inline} Vec_Append<Elem>(v: Vec Elem, e: Elem): Vec Elem
{
  Vec(v->contents[v->len := e], v->len + 1)
}

function {:inline} Vec_Remove<Elem>(v: Vec Elem): Vec Elem
{
  if v->len <= 0 then v else Vec(v->contents[v->len - 1 := Default()], v->len - 1)
}

function {:inline} Vec_Update<Elem>(v: Vec Elem, i: int, e: Elem): Vec Elem
{
  if Vec_Contains(v, i) then Vec(v->contents[i := e], v->len) else v
}

function {:inline} Vec_Swap<Elem>(v: Vec Elem, i: int, j: int): Vec Elem
{
  if Vec_Contains(v, i) && Vec_Contains(v, j)
  then Vec(v->contents[i := v->contents[j]][j := v->contents[i]], v->len)
  else v
}

function {:inline} Vec_Concat<Elem>(v: Vec Elem, w: Vec Elem): Vec Elem
{
  Vec((lambda {:pool "Concat"} i: int ::
         if i < v->len then v->contents[i] else w->contents[i - v->len]),
      v->len + w->len)
}

function {:inline} Vec_Slice<Elem>(v: Vec Elem, from: int, to: int): Vec Elem
{
  (var ok := 0 <= from && from < to && to <= v->len;
    Vec((lambda {:pool "Slice"} i: int ::
           if ok && 0 <= i && i < to - from then v->contents[from + i] else Default()),
        if ok then to - from else 0))
}

// Two vectors are equal unless their lengths or their elements somewhere differ.
procedure Vec_Ext<Elem>(v: Vec Elem, w: Vec Elem) returns (i: int);
  ensures v == w || v->len != w->len || v->contents[i] != w->contents[i];

// Sequences of the solver.

type {:builtin "Seq"} Seq _;
function {:builtin "seq.empty"} Seq_Empty<Elem>(): Seq Elem;
function {:builtin "seq.unit"} Seq_Unit<Elem>(e: Elem): Seq Elem;
function {:builtin "seq.++"} Seq_Concat<Elem>(s: Seq Elem, t: Seq Elem): Seq Elem;
function {:builtin "seq.len"} Seq_Len<Elem>(s: Seq Elem): int;
function {:builtin "seq.nth"} Seq_Nth<Elem>(s: Seq Elem, i: int): Elem;
function {:builtin "seq.extract"} Seq_Extract<Elem>(s: Seq Elem, from: int, len: int): Seq Elem;

// Sets are maps to bool.

function {:inline} Set_Empty<Elem>(): [Elem]bool { MapConst(false) }
function {:inline} Set_Contains<Elem>(a: [Elem]bool, e: Elem): bool { a[e] }
function {:inline} Set_Singleton<Elem>(e: Elem): [Elem]bool { Set_Add(Set_Empty(), e) }
function {:inline} Set_Add<Elem>(a: [Elem]bool, e: Elem): [Elem]bool { a[e := true] }
function {:inline} Set_Remove<Elem>(a: [Elem]bool, e: Elem): [Elem]bool { a[e := false] }
function {:inline} Set_Union<Elem>(a: [Elem]bool, b: [Elem]bool): [Elem]bool { MapOr(a, b) }
function {:inline} Set_Intersection<Elem>(a: [Elem]bool, b: [Elem]bool): [Elem]bool { MapAnd(a, b) }
function {:inline} Set_Difference<Elem>(a: [Elem]bool, b: [Elem]bool): [Elem]bool { MapDiff(a, b) }
function {:inline} Set_IsSubset<Elem>(a: [Elem]bool, b: [Elem]bool): bool { IsSubset(a, b) }
function {:inline} Set_IsDisjoint<Elem>(a: [Elem]bool, b: [Elem]bool): bool { IsDisjoint(a, b) }

// Finite maps: a domain, and values that count only there.

datatype Map<Key, Val> { Map(dom: [Key]bool, val: [Key]Val) }

function {:inline} Map_Empty<Key, Val>(): Map Key Val { Map(MapConst(false), MapConst(Default())) }
function {:inline} Map_Contains<Key, Val>(m: Map Key Val, key: Key): bool { m->dom[key] }
function {:inline} Map_At<Key, Val>(m: Map Key Val, key: Key): Val { m->val[key] }
function {:inline} Map_IsDisjoint<Key, Val>(m: Map Key Val, n: Map Key Val): bool { IsDisjoint(m->dom, n->dom) }

function {:inline} Map_Update<Key, Val>(m: Map Key Val, key: Key, value: Val): Map Key Val
{
  Map(m->dom[key := true], m->val[key := value])
}

function {:inline} Map_Singleton<Key, Val>(key: Key, value: Val): Map Key Val
{
  Map_Update(Map_Empty(), key, value)
}

function {:inline} Map_Remove<Key, Val>(m: Map Key Val, key: Key): Map Key Val
{
  Map(m->dom[key := false], m->val[key := Default()])
}

function {:inline} Map_Swap<Key, Val>(m: Map Key Val, i: Key, j: Key): Map Key Val
{
  (var u, v := Map_At(m, i), Map_At(m, j); Map_Update(Map_Update(m, i, v), j, u))
}

function {:inline} Map_WellFormed<Key, Val>(m: Map Key Val): bool
{
  m->val == MapIte(m->dom, m->val, MapConst(Default()))
}

// Single values and cells, and the operations that move ownership of them. The operations are only
// declared: what they do to their arguments is a matter of linear types, which have no meaning for
// sequential programs.

type Loc;
datatype One<Any> { One(val: Any) }
datatype Cell<Key, Val> { Cell(key: One Key, val: Val) }

procedure Loc_New() returns ({:linear} l: One Loc);

pure procedure Map_MakeEmpty<Key, Val>() returns ({:linear} m: Map Key Val);
  ensures m == Map_Empty();
pure procedure Map_Get<Key, Val>({:linear} m: Map Key Val, key: Key) returns ({:linear} v: Val);
pure procedure Map_Put<Key, Val>({:linear} m: Map Key Val, {:linear_in} key: Key, {:linear_in} v: Val);
pure procedure Set_MakeEmpty<Elem>() returns ({:linear} a: [Elem]bool);
  ensures a == Set_Empty();
pure procedure Set_Get<Elem>({:linear} a: [Elem]bool, b: [Elem]bool) returns ({:linear} c: [Elem]bool);
pure procedure Set_Put<Elem>({:linear} a: [Elem]bool, {:linear_in} b: [Elem]bool);
pure procedure One_Get<Elem>({:linear} a: [Elem]bool, e: Elem) returns ({:linear} o: One Elem);
pure procedure One_Put<Elem>({:linear} a: [Elem]bool, {:linear_in} o: One Elem);

pure procedure Copy<Any>(value: Any) returns (copy: Any);
  ensures copy == value;
pure procedure Assume(condition: bool);
  ensures condition;
pure procedure Move<Any>({:linear_in} from: Any, {:linear_out} to: Any);
  requires from == to;
