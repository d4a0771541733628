import type { Staging } from '@innkeeper/contract/stagings'
import { Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { queryClient } from '../kit/queries.ts'
import { toast } from '../kit/toast.ts'
import { useAct } from '../kit/useAct.ts'
import { Wizard } from '../kit/Wizard.tsx'
import { stagingsApi } from './api.ts'
import { ChooseParts } from './ChooseParts.tsx'
import { type Chosen, nothingChosen, toTables } from './chosen.ts'
import { SinceCopy } from './SinceCopy.tsx'

/** What changed on the live website, seen and confirmed; then what of the copy is to be taken. */
export function MergeDialog({ staging, close }: { staging: Staging; close: () => void }) {
  const { website, liveDomain } = staging
  const changes = useQuery({ ...stagingsApi.changes.query({ id: website.id }), staleTime: 0, gcTime: 0 })
  const [seen, setSeen] = useState(false)
  const [chosen, setChosen] = useState<Chosen>({ files: true, tables: {} })
  const { busy, run } = useAct()
  const choices = changes.data?.choices ?? []
  const finish = () =>
    run(async () => {
      await stagingsApi.merge({ websiteId: website.id, files: chosen.files, tables: toTables(chosen, choices) })
      for (const key of ['websites', 'workflows']) void queryClient.invalidateQueries({ queryKey: [key] })
      toast.info(`Merging ${website.domain} into ${liveDomain}`, 'What the website was is kept.')
      close()
    })
  return (
    <Modal opened onClose={close} title={`Merge ${website.domain} into ${liveDomain}`} size={720}>
      <Wizard
        busy={busy}
        onCancel={close}
        onFinish={finish}
        steps={[
          {
            title: 'What changed since',
            done: seen,
            wanting: changes.data ? 'Confirm that you have seen it' : undefined,
            content: <SinceCopy domain={liveDomain} changes={changes} seen={seen} setSeen={setSeen} />,
          },
          {
            title: 'What to take',
            done: !nothingChosen(chosen, choices),
            wanting: 'Choose files, tables or both',
            content: <ChooseParts choices={choices} chosen={chosen} setChosen={setChosen} />,
          },
        ]}
      />
    </Modal>
  )
}
