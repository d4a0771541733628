import { expect, test } from 'vitest'
import { jobsBeside, jobsOf, joined, parted, relocated } from './crontabText.ts'

const crontab = `MAILTO=kari@example.org
# every night
5 3 * * * php /home/web1/shop.example/public/cron.php
*/10 * * * * /home/web1/shop.example-old/run
@daily cd /home/web1/blog.example && ./backup

`

test('moves the jobs of a folder with their settings, which also stay; a name with the same beginning does not count', () => {
  const { goes, stays } = parted(crontab, ['/home/web1/shop.example'], false)
  expect(goes).toEqual(['MAILTO=kari@example.org', '5 3 * * * php /home/web1/shop.example/public/cron.php'])
  expect(stays.join('\n')).not.toContain('cron.php')
  expect(stays).toContain('MAILTO=kari@example.org')
  expect(jobsOf(goes)).toBe(1)
  expect(parted(crontab, ['/home/web1/none.example'], false)).toMatchObject({ goes: [] })
})

test('moves everything with the last website of an account', () => {
  const { goes, stays } = parted(crontab, [], true)
  expect([jobsOf(goes), stays]).toEqual([3, []])
})

test('appends the jobs on the new server once, with paths of the new home', () => {
  const { goes } = parted(crontab, ['/home/web1/shop.example'], false)
  const made = joined('MAILTO=kari@example.org\n1 1 * * * true', goes, 'web1', 'web2')
  expect(made).toBe('MAILTO=kari@example.org\n1 1 * * * true\n5 3 * * * php /home/web2/shop.example/public/cron.php\n')
  expect(joined(made, goes, 'web1', 'web2')).toBe(made)
})

test.each([
  '~/shop.example/cron.sh',
  '$HOME/shop.example/cron.sh',
  'php "$\u007bHOME}/shop.example/public/cron.php"',
  'cd shop.example && ./cron.sh',
  'cd ./shop.example; ./cron.sh',
  'sh shop.example/cron.sh >/dev/null',
  '~web1/shop.example/cron.sh',
])('finds the folder of a website in %s, and writes another one in its place', (command) => {
  const job = `5 3 * * * ${command}`
  const folders = ['/home/web1/shop.example']
  expect(parted(`${job}\n`, folders, false)).toEqual({ goes: [job], stays: [] })
  expect(relocated([job], '/home/web1/shop.example', '/home/web1/new.example')[0]).toBe(
    job.replace('shop.example', 'new.example').replace('~web1', '~'),
  )
  const other = job.replace('shop.example', 'my-shop.example')
  expect(parted(`${other}\n`, folders, false).goes).toEqual([])
})

test('leaves a job that requests the website by its address, and counts the jobs that name no folder', () => {
  const text =
    '* * * * * wget -q https://shop.example/cron.php\n* * * * * ~/blog.example/run\n* * * * * php backup.php\n'
  expect(parted(text, ['/home/web1/shop.example'], false).goes).toEqual([])
  expect(jobsBeside(text, ['/home/web1/shop.example', '/home/web1/blog.example'])).toBe(2)
})

test('keeps the setting above each job', () => {
  const text = 'MAILTO=a\n1 * * * * ~/shop.example/a\nMAILTO=b\n2 * * * * ~/shop.example/b\n'
  expect(parted(text, ['/home/web1/shop.example'], false).goes.join('\n')).toBe(text.trim())
  expect(joined('MAILTO=a\nMAILTO=c\n3 * * * * true\n', ['MAILTO=a', '1 * * * * true'], 'web1', 'web1')).toBe(
    'MAILTO=a\nMAILTO=c\n3 * * * * true\nMAILTO=a\n1 * * * * true\n',
  )
})
