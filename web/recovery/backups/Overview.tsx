import { Stack, UnstyledButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { FigureRow } from '../../kit/charts/FigureRow.tsx'
import { LinkTo } from '../../kit/frame/LinkTo.tsx'
import { lazyDialog } from '../../kit/frame/lazyScreen.tsx'
import { SkeletonLines } from '../../kit/frame/Skeletons.tsx'
import { ago, bytes, count, counted } from '../../kit/look/format.ts'
import { backupsApi } from './api.ts'
import css from './Backups.module.css'
import { Note } from './Note.tsx'
import { OwnLine } from './OwnLine.tsx'

const LackingModal = lazyDialog(() => import('./LackingModal.tsx'))

/** Key figures of all backups; each leads to the rows behind it. */
export function Overview() {
  const { data, isLoading } = useQuery(backupsApi.overview.query({}))
  const [open, setOpen] = useState(false)
  if (!data) return isLoading ? <SkeletonLines /> : null
  const { at, websites, backed, proven, failed, running, hours, days, lacking, warnings } = data
  const nothing = websites === 0
  return (
    <Stack gap={10} className={css.overview}>
      <FigureRow
        figures={[
          {
            label: nothing ? 'Nothing to back up yet' : backed === websites ? 'Backed up' : 'Without a good backup',
            value: count(backed === websites ? backed : websites - backed),
            of: `of ${counted(websites, ['website', 'websites'])}`,
            hint: nothing
              ? 'there is no website'
              : `in the last ${hours} hours${isOld(at) ? `, counted ${ago(at)}` : ''}`,
            link: lacking.length > 0 && (
              <UnstyledButton aria-label="Websites without a good backup" onClick={() => setOpen(true)} />
            ),
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
          {
            label: 'Kept',
            value: bytes(data.bytes),
            hint: 'in all repositories',
            link: <LinkTo to="/backups/repositories" aria-label="Repositories" />,
          },
        ]}
      />
      <OwnLine />
      {warnings.length > 0 && (
        <Stack gap={4}>
          {warnings.slice(0, 5).map((text) => (
            <Note key={text}>{text}</Note>
          ))}
        </Stack>
      )}
      {open && <LackingModal lacking={lacking} total={websites - backed} close={() => setOpen(false)} />}
    </Stack>
  )
}

/** Ten million backups take seconds to count, so the server repeats the last figures for some minutes. */
const isOld = (at: string): boolean => Date.now() - Date.parse(at) > 60_000
