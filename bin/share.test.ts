import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'

const mayRaise = process.getuid?.() === 0 && existsSync('/proc/self/autogroup')

test('a session has a greater share of the processors until its run ends', () => {
  const look = 'cut -d" " -f3 /proc/self/autogroup 2>/dev/null || echo 0'
  const run = `import('./bin/share.ts').then(({ raiseShare }) => {
    raiseShare()
    process.stdout.write(require('node:child_process').execSync(${JSON.stringify(look)}))
  })`
  const argv = ['-c', `${look}; "${process.execPath}" -e '${run.replaceAll("'", `'\\''`)}'; ${look}`]
  const said = execFileSync('setsid', ['-w', 'sh', ...argv], { encoding: 'utf8' })
    .split('\n')
    .filter(Boolean)
  expect(said).toEqual(['0', mayRaise ? '-5' : '0', '0'])
})
