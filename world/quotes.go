package world

// quotes are what players were told that deeds of theirs would cost or do, by what each deed is about. What was told
// is good for one deed, which spends all that its player was told: a second yes is about nothing.
type quotes[K comparable, V any] map[PlayerID]map[K]V

// tell remembers what a player is told about a deed.
func (q quotes[K, V]) tell(id PlayerID, about K, told V) {
	if q[id] == nil {
		q[id] = map[K]V{}
	}
	q[id][about] = told
}

// spend forgets what a player was told.
func (q quotes[K, V]) spend(id PlayerID) { delete(q, id) }
