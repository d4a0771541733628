import { resumeTransfers } from '../transfer/source.ts'

/*
 * For driver tests inside a practice host: what an agent does with transfers at its start, for as long as it lives.
 */
const count = await resumeTransfers()
process.stdout.write(`${count} transfers\n`)
setInterval(() => {}, 60_000)
