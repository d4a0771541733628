import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { meterChildren, strainInWords, watchStrain } from './strain.ts'

test('says how busy the machine was', () => {
  const seen = watchStrain()()
  expect(seen.load.most).toBeGreaterThanOrEqual(seen.load.mean)
  expect(seen.leastFreeGb).toBeGreaterThan(0)
  const machine = { load: { mean: 7.04, most: 21 }, leastFreeGb: 3.21, idle: 20.04, taken: 12.25, disk: 0.5 }
  expect(strainInWords(machine)).toMatch(
    /^The machine: \d+ processors, load 7\.0 on average and 21\.0 at most; 3\.2 GB of memory free at least; the processors 20\.0 % idle, 12\.3 % taken by .*, 0\.5 % waiting for disks$/,
  )
  expect(strainInWords({ load: { mean: 1, most: 1 } })).toMatch(/load 1\.0 on average and 1\.0 at most$/)
})

test('meters the processor that children took, with theirs', () => {
  const meter = meterChildren()
  execFileSync('sh', ['-c', 'sh -c "i=0; while [ \\$i -lt 200000 ]; do i=\\$((i+1)); done"; true'])
  expect(meter()).toBeGreaterThan(0)
  expect(meter()).toBe(0)
})
