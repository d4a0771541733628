import { createInterface } from 'node:readline'
import { Op } from '@innkeeper/contract/agent/door'
import { perform } from '../attempt.ts'
import { drivers } from '../drivers/drivers.ts'

/*
 * For driver tests inside a practice host: carries out the operations on standard input as a running agent does, and writes
 * their lines and answers, all as JSON lines. Ends with its standard input.
 */
const print = (line: unknown) => process.stdout.write(`${JSON.stringify(line)}\n`)
const orders = createInterface({ input: process.stdin })
orders.on('line', async (line) => {
  const { n, op } = JSON.parse(line)
  const answer = await perform(Op.parse(op), { until: Number.POSITIVE_INFINITY }, drivers, (said) => print({ n, said }))
  print({ n, answer })
})
orders.on('close', () => process.exit(0))
print({ ready: true })
