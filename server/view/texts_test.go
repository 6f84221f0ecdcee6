package view

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"sphereserver/world"
	"sphereserver/world/rules"
)

// textsSent are the numbers of all constants of type [TextNumber].
func textsSent(t *testing.T) map[TextNumber]string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "texts.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	sent := map[TextNumber]string{}
	ast.Inspect(file, func(n ast.Node) bool {
		if v, ok := n.(*ast.ValueSpec); ok && len(v.Values) == 1 {
			if kind, ok := v.Type.(*ast.Ident); ok && kind.Name == "TextNumber" {
				number, err := strconv.Atoi(v.Values[0].(*ast.BasicLit).Value)
				if err != nil {
					t.Fatal(err)
				}
				sent[TextNumber(number)] = v.Names[0].Name
			}
		}
		return true
	})
	return sent
}

// TestLifeCheck1_9EachNumberSentIsATextOfTheClient compares the numbers that we send with those of the client's texts,
// and with their places for a number.
func TestLifeCheck1_9EachNumberSentIsATextOfTheClient(t *testing.T) {
	text, err := os.ReadFile("testdata/texts.tsv")
	if err != nil {
		t.Fatal(err)
	}
	takes := map[TextNumber]string{}
	for line := range strings.Lines(string(text)) {
		word, arg, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if number, err := strconv.ParseUint(word, 10, 16); err == nil {
			takes[TextNumber(number)] = arg
		}
	}
	for number, name := range textsSent(t) {
		takes, known := takes[number]
		if !known {
			t.Errorf("%s: the client has no text %d", name, number)
		} else if (takes == "n") != number.hasNumber() {
			t.Errorf("%s: text %d takes %q, sent with a number: %t", name, number, takes, number.hasNumber())
		}
	}
}

// TestNumbersAreSentFromOnePlace finds code that sends a text by its number past [OwnText].
func TestNumbersAreSentFromOnePlace(t *testing.T) {
	err := filepath.WalkDir("..", func(path string, _ os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") ||
			filepath.Base(path) == "texts.go" {
			return err
		}
		source, err := os.ReadFile(path)
		if strings.Contains(string(source), "packets.SystemText{") ||
			strings.Contains(string(source), "packets.SystemTextNumber{") {
			t.Errorf("%s does not use OwnText", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestRefusalTexts(t *testing.T) {
	sent := textsSent(t)
	for why, text := range refusalTexts {
		if sent[text] == "" {
			t.Errorf("%v: text %d is not in the table", why, text)
		}
	}
	for _, c := range []struct {
		why     rules.RejectReason
		request world.Command
		want    TextNumber
	}{
		{rules.TooPoor, world.Buy{}, TextNoMoney},
		{rules.TooPoor, world.Repair{}, TextNoMoney},
		{rules.Exhausted, world.Strike{}, 0}, // prana is no money
		{rules.NotEmpty, world.OfferForSale{}, TextContainerFull},
		{rules.NotEmpty, nil, 0},
		{rules.IsBound, world.OfferForSale{}, TextPersonal},
		{rules.IsBound, world.Drop{}, 0},
		{rules.TooFar, world.Drop{}, TextTooFar},
		{rules.StoreFailed, world.Drop{}, 0}, // the client knows of no store
		{rules.StoreFailed, world.Strike{}, TextNotNow},
		{rules.StoreFailed, world.UseItem{}, TextNotNow},
		{rules.StoreFailed, nil, TextNotNow}, // the reward of a kill
		{rules.Lacking, world.Strike{}, 0},
	} {
		if got := RefusalText(c.why, c.request); got != c.want {
			t.Errorf("%v of %T: text %d, want %d", c.why, c.request, got, c.want)
		}
	}
}
