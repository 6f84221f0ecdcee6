package chat

import (
	"strings"
	"testing"

	"sphereserver/packets"
)

// tooltip is the text that a client writes into the link on its own character.
func tooltip(name string) string {
	return `player://` + name + `\[br\]\[img=\"sep,mid,0,4,0,2\"\]\[br\]\[t=\"#UISTR_TT_IW32a\"\]\[img=\"inf_32,mid,0,2,6,2\"\]` +
		` \[cl=EEEEEE\]горожанин (19)\[cl=EEEEEE\]\[/t\]\[br\]\[t=\"#UISTR_TT_IW33a\"\]\[img=\"inf_33,mid,0,2,6,2\"\]` +
		` \[cl=EEEEEE\]ученик (15)\[cl=EEEEEE\]\[/t\]\[br\]\[t=\"#UISTR_TT_IW87J\"\]\[img=\"in_spec10,mid,0,2,6,2\"\]` +
		` \[cl=EEEEEE\]Кандидат (1)\[cl=EEEEEE\]\[/t\]\[br\]Клан Knelse (Сеньор)\[br\]\[img=\"sep,mid,0,4,0,2\"\]`
}

// written is a line as the client of a character composes it.
func written(name, message string) string {
	return `<l="` + tooltip(name) + `">` + name + `</l>: ` + message
}

// A line of a client of the form that is recorded passes with its tooltip.
func TestOwnLinesPassAsTheyAre(t *testing.T) {
	for _, message := range []string{"a", "привет", "1 </l>: 2", `</l>: "x"`} {
		line := written("Hero", message)
		value, shown, got := splitLine(line)
		if value != tooltip("Hero") || shown != "Hero" || got != message {
			t.Errorf("%q: link %q on %q, message %q", line, value, shown, got)
		}
		if composed := composeLine("Hero", value, shown, got); composed != line {
			t.Errorf("%q became %q", line, composed)
		}
		if messageOf(line) != message {
			t.Errorf("the message is %q", messageOf(line))
		}
	}
}

// Others see the true writer of every line of a client.
func TestNobodySpeaksAsAnother(t *testing.T) {
	const plain = `<l="player://Hero">Hero</l>: `
	for what, line := range map[string]string{
		"another name":              written("Admin", "hi"),
		"another name shown":        strings.Replace(written("Hero", "hi"), ">Hero<", ">Admin<", 1),
		"another name linked":       strings.Replace(written("Hero", "hi"), "//Hero", "//Admin", 1),
		"a longer name linked":      strings.Replace(written("Hero", "hi"), "//Hero", "//Heroine", 1),
		"no link":                   "hi",
		"another kind of link":      `<l="item://Hero">Hero</l>: hi`,
		"a second link in it":       `<l="player://Hero\[br\]http://x">Hero</l>: hi`,
		"markup that takes effect":  `<l="player://Hero\[br\][cl=FF0000]">Hero</l>: hi`,
		"tags in the tooltip":       `<l="player://Hero\[br\]<b>">Hero</l>: hi`,
		"a line break in it":        "<l=\"player://Hero\\[br\\]\n\">Hero</l>: hi",
		"a tooltip without an end":  `<l="player://Hero\[br\]\">Hero</l>: hi`,
		"an enormous tooltip":       `<l="player://Hero\[` + strings.Repeat("x", maxTooltip) + `">Hero</l>: hi`,
		"an unknown escape":         `<l="player://Hero\[br\]\x">Hero</l>: hi`,
		"a backslash at its end":    `<l="player://Hero\[br\]\\">Hero</l>: hi`,
		"markup around the message": written("Admin", `<cl=FF0000>hi</cl>`),
	} {
		value, shown, message := splitLine(line)
		composed := composeLine("Hero", value, shown, packets.PlainText(message))
		rest, ok := strings.CutPrefix(composed, plain)
		if !ok || strings.ContainsAny(rest, `<>[]\`) || !strings.HasSuffix(rest, "hi") && what != "a tooltip without an end" {
			t.Errorf("%s: %q", what, composed)
		}
	}
}

// Messages lose text that could be taken for markup or for a line of its own, and nothing else.
func TestMessagesAreClean(t *testing.T) {
	for message, want := range map[string]string{
		"привет, мир!":                       "привет, мир!",
		"100% \"x\" & 'y' — №5":              "100% \"x\" & 'y' — №5",
		"<3 и 5 < 6 > 4":                     "‹3 и 5 ‹ 6 › 4",
		"<b>жир</b>":                         "жир",
		`<l="player://A">A</l>: x`:           "A: x",
		"<<b>l=x>":                           "‹l=x›",
		"<b":                                 "‹b",
		"</":                                 "‹/",
		"[cl=FF0000]red[br]Bob:":             "(cl=FF0000)red(br)Bob:",
		`\[br\]`:                             "/(br/)",
		"[куплю] меч":                        "(куплю) меч",
		"  a \t\r\n\x00\x01 b  ":             "a b",
		"a\u0098b\u00adc\u00a0d":             "a b c d",
		"a" + strings.Repeat(" ", 300) + "b": "a b",
		"":                                   "",
		" \n ":                               "",
		"<b></b>":                            "",
		"a<b>b":                              "ab",
	} {
		if got := packets.PlainText(message); got != want {
			t.Errorf("%q became %q, want %q", message, got, want)
		}
		if got := packets.PlainText(want); got != want {
			t.Errorf("%q is clean and became %q", want, got)
		}
	}
}

// A cleaned message stays the same on its way through Windows-1251.
func TestCleanMessagesSurviveTheWire(t *testing.T) {
	var all []byte
	for b := range 256 {
		all = append(all, byte(b), '-')
	}
	clean := packets.PlainText(packets.Decode1251(all))
	if back := packets.Decode1251(packets.Append1251(nil, clean)); back != clean {
		t.Errorf("%q became %q", clean, back)
	}
}

func TestCommandsAreTold(t *testing.T) {
	for message, want := range map[string]bool{"/tell Bob hi": true, "!who": true, "/л Вася": true,
		"!помощь": true, "": false, "/": false,
		"!": false, "!!!": false, "/ 2": false, "/5": false, "hi /tell": false, "?": false} {
		if got := isCommand(message); got != want {
			t.Errorf("%q: %v", message, got)
		}
	}
}

// FuzzChatLine: for any line of a client the composed one begins with the link on its writer, and nothing in its
// message is markup.
func FuzzChatLine(f *testing.F) {
	for _, line := range []string{written("Hero", "привет"), written("Admin", "hi"), "plain",
		`<l="player://Hero">Hero</l>: <b>x</b> [br]`, `<l="\`, "<<<a>"} {
		f.Add(packets.Append1251(nil, line))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		value, shown, message := splitLine(packets.Decode1251(raw))
		message = packets.PlainText(message)
		line := composeLine("Hero", value, shown, message)
		if strings.ContainsAny(message, "<>[]\\\x00\n\r\t") || packets.PlainText(message) != message {
			t.Fatalf("message %q", message)
		}
		gotValue, gotShown, gotMessage := splitLine(line)
		if gotShown != "Hero" || gotMessage != message || gotValue != "player://Hero" &&
			!strings.HasPrefix(gotValue, `player://Hero\[`) {
			t.Fatalf("%q reads as %q, %q, %q", line, gotValue, gotShown, gotMessage)
		}
		if strings.ContainsAny(gotValue, "<>\n\r\x00") {
			t.Fatalf("link %q", gotValue)
		}
	})
}
