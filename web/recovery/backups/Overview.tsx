import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { FigureRow } from '../../kit/charts/FigureRow.tsx'
import { LinkTo } from '../../kit/frame/LinkTo.tsx'
import { ago, bytes, count, counted } from '../../kit/look/format.ts'
import { backupsApi } from './api.ts'
import css from './Backups.module.css'
import { Note } from './Note.tsx'
import { OwnLine } from './OwnLine.tsx'

/** Key figures of all backups; those with rows behind them link to the filtered list. */
export function Overview() {
  const { data } = useQuery(backupsApi.overview.query({}))
  if (!data) return null
  const { at, websites, backed, proven, failed, running, hours, days, lacking, warnings } = data
  const nothing = websites === 0
  return (
    <Stack gap={0} className={css.overview}>
      <FigureRow
        figures={[
          {
            label: nothing ? 'Nothing to back up yet' : backed === websites ? 'Backed up' : 'Without a good backup',
            value: count(backed === websites ? backed : websites - backed),
            of: `of ${counted(websites, ['website', 'websites'])}`,
            hint: nothing
              ? 'there is no website'
              : `in the last ${hours} hours${isOld(at) ? `, counted ${ago(at)}` : ''}`,
          },
          {
            label: 'Proven',
            value: count(proven),
            of: `of ${count(websites)}`,
            hint: `restored as a test in ${days} days`,
            link: proven > 0 && <LinkTo to="/backups" search={{ proven: 'true' }} aria-label="Proven backups" />,
          },
          {
            label: 'Last 24 hours',
            value: count(failed),
            of: failed === 1 ? 'run failed or is partial' : 'runs failed or are partial',
            hint: running ? `${count(running)} running or waiting` : 'none is running',
            link: failed > 0 && (
              <LinkTo to="/backups" search={{ status: '3,4' }} aria-label="Failed and partial backups" />
            ),
          },
          { label: 'Kept', value: bytes(data.bytes), hint: 'in all repositories' },
        ]}
      />
      <OwnLine />
      {(warnings.length > 0 || lacking.length > 0) && (
        <div className={css.notes}>
          {warnings.slice(0, 5).map((text) => (
            <Note key={text}>{text}</Note>
          ))}
          {lacking.length > 0 && (
            <Text c="dimmed" fz="xs">
              Without a good backup:{' '}
              {lacking.slice(0, 6).map(({ websiteId, domain }, n) => (
                <Fragment key={websiteId}>
                  {n > 0 && ', '}
                  <LinkTo to="/websites/$id" params={{ id: String(websiteId) }} inherit>
                    {domain}
                  </LinkTo>
                </Fragment>
              ))}
              {websites - backed > 6 && ` and ${count(websites - backed - 6)} more`}
            </Text>
          )}
        </div>
      )}
    </Stack>
  )
}

/** Ten million backups take seconds to count, so the server repeats the last figures for some minutes. */
const isOld = (at: string): boolean => Date.now() - Date.parse(at) > 60_000
