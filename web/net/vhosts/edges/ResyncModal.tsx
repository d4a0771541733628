import type { Output } from '@innkeeper/contract/kit/endpoint'
import type { vhosts } from '@innkeeper/contract/net/vhosts/calls'
import { Button, Group, Stack, Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { Dialog } from '../../../kit/dialogs/Dialog.tsx'
import { toast } from '../../../kit/dialogs/toast.ts'
import { counted } from '../../../kit/look/format.ts'
import { useAct } from '../../../kit/look/useAct.ts'
import { vhostsApi } from '../api.ts'
import css from '../vhosts.module.css'
import { reread } from './cdnActs.ts'
import { EdgeDiffs } from './EdgeDiffs.tsx'

type Compared = Output<typeof vhosts.resync>

/** Compares the edges with the expected files, shows the differences, and rewrites the files after confirmation. */
export default function ResyncModal({ ids, close }: { ids?: number[]; close: () => void }) {
  const [found, setFound] = useState<Compared>()
  const { busy, run } = useAct()
  const begun = useRef(false)
  const which = ids ? { ids } : {}
  const compare = () =>
    run(async () => {
      setFound(await vhostsApi.resync({ ...which, dryRun: true }))
      reread()
    })
  const repair = () =>
    run(async () => {
      const { workflowIds } = await vhostsApi.resync(which)
      reread()
      toast.info(`Rewriting ${counted(workflowIds.length, ['website', 'websites'])}`, 'The tray shows the progress.')
      close()
    })
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it is opened
  useEffect(() => {
    if (begun.current) return
    begun.current = true
    void compare()
  }, [])
  const differing = found?.differing.length ?? 0
  return (
    <Dialog opened onClose={close} title="Compare edges" size={760}>
      <Stack gap={14}>
        {found ? (
          <Found found={found} />
        ) : (
          <Text c="dimmed">{busy ? 'Asking the edges…' : 'The edges were not compared.'}</Text>
        )}
        <Group justify="flex-end" gap={8}>
          <Button variant="default" loading={busy && !found} onClick={() => void compare()}>
            Ask again
          </Button>
          <Button variant="default" onClick={close}>
            Close
          </Button>
          {differing > 0 && (
            <Button loading={busy} onClick={() => void repair()}>
              Rewrite {counted(differing, ['file', 'files'])}
            </Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  )
}

const Found = ({ found: { compared, differing, silent } }: { found: Compared }) => (
  <>
    <Text aria-live="polite">
      {compared === 0 && silent.length > 0
        ? 'No edge answered, so nothing was compared.'
        : said(compared, differing.length)}
    </Text>
    <div className={css.found}>
      <EdgeDiffs found={{ differing, silent }} none={compared ? 'Every edge that answered is as it should be.' : ''} />
    </div>
  </>
)

const said = (compared: number, differing: number): string =>
  `${counted(compared, ['file', 'files'])} compared, ${differing ? `${differing} differ: - is on the edge, + is wanted` : 'none differs'}.`
