import { createInterface } from 'node:readline'
import { Op } from '@innkeeper/contract/agent/door'
import { perform } from '../attempt.ts'
import { drivers } from '../drivers/drivers.ts'
import { keepReserve } from '../kit/files/reserve.ts'
import { patience } from '../kit/host.ts'

/*
 * For driver tests inside a practice host: runs the operations from standard input as an agent does, and prints their
 * lines and answers as JSON lines. Ends when standard input ends.
 */
patience.answerMs = 6000 // tests provoke services that answer wrong
const print = (line: unknown) => process.stdout.write(`${JSON.stringify(line)}\n`)
const orders = createInterface({ input: process.stdin })
async function carry(line: string): Promise<void> {
  const { n, op } = JSON.parse(line)
  await keepReserve()
  const answer = await perform(
    Op.parse(op),
    { until: Number.POSITIVE_INFINITY, stop: new AbortController().signal },
    drivers,
    (said) => print({ n, said }),
  )
  print({ n, answer })
}
const fail = (error: unknown) => {
  console.error(error)
  process.exit(1)
}
orders.on('line', (line) => {
  carry(line).catch(fail)
})
orders.on('close', () => process.exit(0))
print({ ready: true })
