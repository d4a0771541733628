import { expect, test } from 'vitest'
import { jobsOf, joined, parted } from './crontabText.ts'

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
