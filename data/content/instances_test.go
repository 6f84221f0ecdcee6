package content

import (
	"strings"
	"testing"
)

func TestTheNewcomersDungeonHasItsPieces(t *testing.T) {
	count := map[PieceKind]int{}
	for _, p := range Pieces(Newcomers) {
		count[p.Kind]++
		if !strings.HasPrefix(p.Source, "life") {
			t.Errorf("%v has the source %q", p.Kind, p.Source)
		}
	}
	for kind, n := range map[PieceKind]int{PieceStart: 1, PieceLabyrinth: 1, PieceNPC: 2, PieceItem: 2, PieceChest: 2,
		PieceTeleport: 1, PiecePost: 7, PieceMonster: 1} {
		if count[kind] != n {
			t.Errorf("%d of kind %s", count[kind], kind)
		}
	}
	if Pieces("nowhere") != nil {
		t.Error("there is a dungeon that nobody knows")
	}
}

func TestWrongTablesOfInstances(t *testing.T) {
	const head = "layout\tkind\tclass\tx\ty\tz\tyaw\tnumber\tthings\toften\tsource\n"
	const start = "a\tstart\t-\t0\t0\t0\t0\t-\t-\talways\tx\n"
	const labyrinth = "a\tlabyrinth\t96\t0\t0\t0\t0\t1\t-\talways\tx\n"
	if _, err := parseInstances("t", head+start+labyrinth); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ rows, want string }{
		{labyrinth, "expected a start"},
		{start, "expected a start"},
		{start + "a\tchest\t415\t0\t0\t0\t0\t2\t-\talways\tx\n", "expected a start"},
		{start + labyrinth + "a\thole\t415\t0\t0\t0\t0\t2\t-\talways\tx\n", "kind"},
		{start + labyrinth + "a\tchest\t4150\t0\t0\t0\t0\t2\t-\talways\tx\n", "class"},
		{start + labyrinth + "a\tchest\t415\t101\t0\t0\t0\t2\t-\talways\tx\n", "within 100 m"},
		{start + labyrinth + "a\tchest\t415\t0\t0\t0\t0\t2\t653\talways\tx\n", "CLASS:COUNT"},
		{start + labyrinth + "a\tchest\t415\t0\t0\t0\t0\t2\t653:0\talways\tx\n", "CLASS:COUNT"},
		{start + labyrinth + "a\tchest\t415\t0\t0\t0\t0\t2\t" + strings.Repeat(" 1:1", 10)[1:] + "\talways\tx\n", "CLASS:COUNT"},
		{start + labyrinth + "a\tchest\t415\t0\t0\t0\t0\t2\t-\tnever\tx\n", "often"},
	} {
		if _, err := parseInstances("t", head+c.rows); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.rows, err, c.want)
		}
	}
}
