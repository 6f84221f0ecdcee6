// Asks a server with mcquery, in the way that it is told, and prints all that it shows as JSON.
import Query from 'mcquery'

const [way, host, port] = process.argv.slice(2)
const query = new Query(host, Number(port), { timeout: 60000 })
await query.connect()
const ask = { basic: query.basic_stat, full: query.full_stat }[way]
const answer = await new Promise((resolve, reject) => ask.call(query, (error, answer) => error ? reject(error) : resolve(answer)))
query.close()
console.log(JSON.stringify(answer))
