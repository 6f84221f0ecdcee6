package packets

// The check of the client's files, which no server needs to ask for. The "inventory" packets of the published article
// are mostly these.

// FileCheckBegin stands before the requests.
type FileCheckBegin struct{}

var _ = fromServer(&managerCommands, 27, func(_ *FileCheckBegin, f *fields) { f.walk(opcode(1)) }, turn(2))

// FileCheck asks the client to check some of its files.
type FileCheck struct {
	Folder [50]byte // ended by NUL
	Mask   [50]byte // of the files' names, ended by NUL
}

var _ = fromServer(&managerCommands, 27, func(m *FileCheck, f *fields) {
	f.bytes(m.Folder[:])
	f.bytes(m.Mask[:])
}, turn(1))

// FileCheckEnd stands behind the requests.
type FileCheckEnd struct{ Value uint8 } // meaning unknown

var _ = fromServer(&managerCommands, 27, func(m *FileCheckEnd, f *fields) { f.walk(opcode(2), &m.Value) }, turn(3))

// FileCheckAnswer is the client's findings.
type FileCheckAnswer struct{ Data [20]byte } // layout unknown

var _ = fromClient(&managerCommands, 27, func(m *FileCheckAnswer, f *fields) { f.bytes(m.Data[:]) }, turn(1))

// FileCheckReport is FileCheckAnswer in another form.
type FileCheckReport struct{ Data [64]byte } // layout unknown

var _ = fromClient(&managerCommands, 27, func(m *FileCheckReport, f *fields) { f.bytes(m.Data[:]) }, turn(2))

// AntiCheat is a report that the client sends once after loading.
type AntiCheat struct{ Data [12]byte } // layout unknown

var _ = fromClient(&managerCommands, 34, func(m *AntiCheat, f *fields) { f.bytes(m.Data[:]) })
