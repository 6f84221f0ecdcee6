package session

// ChangeLimits makes those limits count from now on that concern connections to come: of connections in all and of an
// address, of new ones, and of failed logins. Who is in stays. The other limits are as they were at the start.
//
// It says how many connections the system's limit of open files allows, which may be fewer.
func (s *Manager) ChangeLimits(l Limits) (connections int) {
	if wanted := l.Connections; l.fitDescriptors(descriptors()) {
		s.options.Log.Warn("fewer connections than set: the system's limit of open files is too low", "set", wanted,
			"allowed", l.Connections,
			"open files", descriptors())
	}
	l.ExemptLoopback = s.options.Limits.ExemptLoopback // who was let in under it is counted out under it
	s.conns.change(l)
	s.guesses.change(l)
	return l.Connections
}

// ChangeAccounts says from now on whether unknown logins get an account, and whether a newer login ends the older one.
func (s *Manager) ChangeAccounts(create, takeOver bool) {
	s.createAccounts.Store(create)
	s.takeOver.Store(takeOver)
}

func (d *connLimiter) change(l Limits) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.limits = l
}

func (g *loginLimiter) change(l Limits) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.limits = l
}
