import { expect, test } from 'vitest'
import { lastSaid, must, run } from './run.ts'

test('passes values as arguments, whatever characters they contain', async () => {
  const value = `$(id); 'x' "y" \`z\` * && | > /tmp/x`
  expect((await run(['printf', '%s', value])).stdout).toBe(value)
})

test('kills a command with its child processes after its timeout', async () => {
  const mark = `sleep 31.${process.pid}`
  await expect(run(['sh', '-c', `${mark} & ${mark}`], { withinMs: 300 })).rejects.toThrow(/longer than 0.3 s/)
  await expect.poll(async () => (await run(['pgrep', '-f', `^${mark}$`])).stdout).toBe('')
})

test('gives a command a minimal environment', async () => {
  process.env.INNKEEPER_TEST_SECRET = 'secret'
  const { stdout } = await run(['env'], { env: { MORE: 'x' } })
  delete process.env.INNKEEPER_TEST_SECRET
  expect(
    stdout
      .split('\n')
      .map((line) => line.split('=')[0])
      .toSorted()
      .filter(Boolean),
  ).toEqual(['HOME', 'LC_ALL', 'MORE', 'PATH'])
})

test('passes lines as they come, including a last one without a line break', async () => {
  const lines: string[] = []
  await run(['printf', 'one\\ntwo\\r\\nthree'], { onLine: (line) => lines.push(line) })
  expect(lines).toEqual(['one', 'two', 'three'])
})

test('passes all input, and tolerates a command that does not read it', async () => {
  expect((await run(['cat'], { input: 'a'.repeat(200_000) })).stdout).toHaveLength(200_000)
  expect((await run(['true'], { input: 'a'.repeat(2_000_000) })).code).toBe(0)
})

test('does not wait for a daemon that keeps the output open', async () => {
  const { stdout } = await run(['sh', '-c', 'setsid sleep 600 & echo $!'])
  process.kill(Number(stdout)) // throws unless the daemon still runs
})

test('includes the command’s message in a failure', async () => {
  await expect(must(['sh', '-c', 'echo no room >&2; exit 3'])).rejects.toThrow(/ended with 3: no room/)
  await expect(run(['no-such-program'])).rejects.toThrow(/ENOENT/)
})

test('leaves out the statement that MariaDB’s client repeats before its error', () => {
  const said =
    "--------------\ninsert into people values ('Kari', 'secret')\n--------------\n\nERROR 1114 (HY000) at line 7: The table 'people' is full\n"
  expect(lastSaid(`\n${said}`)).toBe("ERROR 1114 (HY000) at line 7: The table 'people' is full")
  expect(lastSaid('psql: error: no\n')).toBe('psql: error: no')
})
