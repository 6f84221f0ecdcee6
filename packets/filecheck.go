package packets

// The check of the client's files, which no server needs to ask for. The "inventory" packets of the published article
// are mostly these.

// FileCheckBegin stands before the requests.
type FileCheckBegin struct{}

var _ = fromServer(&managerCommands, 27, command[FileCheckBegin](), turn(2))

func (*FileCheckBegin) fields(f *fields) { constant(f, uint8(1), 8) }

// FileCheck asks the client to check some of its files.
type FileCheck struct {
	Folder [50]byte // ended by NUL
	Mask   [50]byte // of the files' names, ended by NUL
}

var _ = fromServer(&managerCommands, 27, command[FileCheck](), turn(1))

func (m *FileCheck) fields(f *fields) {
	f.bytes(m.Folder[:])
	f.bytes(m.Mask[:])
}

// FileCheckEnd stands behind the requests.
type FileCheckEnd struct{ Value uint8 } // meaning unknown

var _ = fromServer(&managerCommands, 27, command[FileCheckEnd](), turn(3))

func (m *FileCheckEnd) fields(f *fields) {
	constant(f, uint8(2), 8)
	num(f, &m.Value, 8)
}

// FileCheckAnswer is what the client found.
type FileCheckAnswer struct{ Data [20]byte } // layout unknown

var _ = fromClient(&managerCommands, 27, command[FileCheckAnswer](), turn(1))

func (m *FileCheckAnswer) fields(f *fields) { f.bytes(m.Data[:]) }

// FileCheckReport is FileCheckAnswer in another form.
type FileCheckReport struct{ Data [64]byte } // layout unknown

var _ = fromClient(&managerCommands, 27, command[FileCheckReport](), turn(2))

func (m *FileCheckReport) fields(f *fields) { f.bytes(m.Data[:]) }

// AntiCheat is a report that the client sends once after loading.
type AntiCheat struct{ Data [12]byte } // layout unknown

var _ = fromClient(&managerCommands, 34, command[AntiCheat]())

func (m *AntiCheat) fields(f *fields) { f.bytes(m.Data[:]) }
