import type { Staging } from '@innkeeper/contract/hosting/stagings/shapes'
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../../kit/api/client.ts'
import { readAgain } from '../../kit/api/readAgain.ts'
import { Dialog } from '../../kit/dialogs/Dialog.tsx'
import { toast } from '../../kit/dialogs/toast.ts'
import { Wizard } from '../../kit/form/Wizard.tsx'
import { LoadError } from '../../kit/frame/emptyStates.tsx'
import { useAct } from '../../kit/look/useAct.ts'
import { stagingsApi } from './api.ts'
import { ChooseParts } from './ChooseParts.tsx'
import { type Chosen, nothingChosen, toParts } from './chosen.ts'
import { SinceCopy } from './SinceCopy.tsx'

const fresh = { staleTime: 0, gcTime: 0 }

/** Chooses the parts to merge, then shows what changed on the live website since the copy, for confirmation. */
export function MergeDialog({ staging, close }: { staging: Staging; close: () => void }) {
  const { website, liveDomain } = staging
  const all = useQuery({ ...stagingsApi.changes.query({ id: website.id }), ...fresh })
  const [chosen, setChosen] = useState<Chosen>({ files: 'all', paths: [], tables: {} })
  const choices = all.data?.choices ?? []
  const isChosen = all.data !== undefined && !nothingChosen(chosen, choices)
  const [looking, setLooking] = useState(false)
  const parts = toParts(chosen, choices)
  const changes = useQuery({
    ...stagingsApi.changesOf.query({ id: website.id, ...parts }),
    ...fresh,
    enabled: looking && isChosen,
  })
  const [seen, setSeen] = useState<string>()
  const isSeen = changes.data !== undefined && seen === changes.data.digest
  const { busy, run } = useAct()
  const finish = () =>
    run(async () => {
      try {
        await stagingsApi.merge({ websiteId: website.id, ...parts, seen })
      } catch (error) {
        // the live website changed again: show its present state first
        if (error instanceof ApiError && error.status === 409) void changes.refetch()
        throw error
      }
      void readAgain(['websites', 'workflows'])
      toast.info(`Merging ${website.domain} into ${liveDomain}`, 'The former content of the website is kept.')
      close()
    })
  return (
    <Dialog opened onClose={close} title={`Merge ${website.domain} into ${liveDomain}`} size={760}>
      <Wizard
        busy={busy}
        onCancel={close}
        onFinish={finish}
        steps={[
          {
            title: 'What to take',
            done: isChosen,
            wanting: all.data ? 'Choose files, tables or both' : undefined,
            content: all.error ? (
              <LoadError error={all.error} order={2} onRetry={() => void all.refetch()} />
            ) : all.data ? (
              <ChooseParts changes={all.data} chosen={chosen} setChosen={setChosen} />
            ) : (
              <Text c="dimmed">Comparing {liveDomain} with its copy: each file, each row…</Text>
            ),
          },
          {
            title: 'What changed since',
            done: isSeen,
            wanting: changes.data ? 'Confirm that you have seen it' : undefined,
            content: (
              <SinceCopy
                domain={liveDomain}
                changes={changes}
                onShown={setLooking}
                seen={isSeen}
                setSeen={(is) => setSeen(is ? changes.data?.digest : undefined)}
              />
            ),
          },
        ]}
      />
    </Dialog>
  )
}
