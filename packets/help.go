package packets

// FirstHelp opens a page of the client's first help, 0 to 17. The contents of the pages are not known here.
//
// Source: protocol life 1.3, 13; it was never recorded.
type FirstHelp struct{ Page uint32 }

var _ = fromServer(&managerCommands, 37, func(m *FirstHelp, f *fields) { f.walk(&m.Page) })
