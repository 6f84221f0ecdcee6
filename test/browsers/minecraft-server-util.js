// Asks a server with minecraft-server-util, in the way that it is told, and prints all that it shows as JSON.
import { queryBasic, queryFull } from 'minecraft-server-util'

const [way, host, port] = process.argv.slice(2)
const ask = { basic: queryBasic, full: queryFull }[way]
console.log(JSON.stringify(await ask(host, Number(port), { enableSRV: false, timeout: 60000 })))
