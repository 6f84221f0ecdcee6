package rules

// MaxKarma is the greatest karma count, and the least one with the sign changed.
const MaxKarma = 5000

// The karma types that the client shows. protocol: session 11.3.
const (
	KarmaVeryBad = 1
	KarmaBad     = 2
	KarmaNeutral = 3
	KarmaGood    = 4
	KarmaBenign  = 5
)

// KarmaType is the type of a karma count. protocol: session 11.2.
func KarmaType(count int) int {
	switch {
	case count < -1000:
		return KarmaVeryBad
	case count < -100:
		return KarmaBad
	case count <= 100:
		return KarmaNeutral
	case count <= 1000:
		return KarmaGood
	}
	return KarmaBenign
}
