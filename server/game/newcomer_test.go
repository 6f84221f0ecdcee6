package game

import (
	"testing"

	"sphereserver/world/rules"
)

// Who makes characters only to sell what they begin with gets nothing for it.
func TestTradersPayNothingForWhatEveryNewcomerHas(t *testing.T) {
	for _, i := range starterItems() {
		if !rules.ClassOf(i.Class).Gift {
			t.Errorf("class %d can be sold", i.Class)
		}
	}
}
