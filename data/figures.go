package data

// Waiting is how many writes wait for their turn.
func (s *Store) Waiting() int {
	if s.writer == nil {
		return 0
	}
	return len(s.writer.queue)
}
