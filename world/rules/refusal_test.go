package rules

import "testing"

func TestRefusalsHaveWords(t *testing.T) {
	seen := map[string]bool{}
	for r := NobodyThere; int(r) < len(refusalNames); r++ {
		if refusalNames[r] == "" || seen[r.String()] {
			t.Errorf("refusal %d is %q", r, r)
		}
		seen[r.String()] = true
	}
	if RejectReason(0).String() != "refusal 0" || RejectReason(200).String() != "refusal 200" {
		t.Error("unknown refusals have words")
	}
}
