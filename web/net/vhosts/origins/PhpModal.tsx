import type { OriginVhost } from '@innkeeper/contract/net/originVhosts/shapes'
import { Select, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Choice, ExtensionFields } from '../../../hosting/websites/ExtensionFields.tsx'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { FormModal } from '../../../kit/form/FormModal.tsx'
import { useCallForm } from '../../../kit/form/useCallForm.ts'
import { useOpened } from '../../../kit/form/useOpened.ts'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { FileDiffs } from '../../../kit/look/FileDiffs.tsx'
import { useAct } from '../../../kit/look/useAct.ts'
import { originVhostsApi } from '../api.ts'
import { changeOf, draftOf } from '../words.ts'
import { isRight, PhpFields } from './PhpFields.tsx'
import { useModules } from './useModules.ts'

const choiceOf = ({ extensionsOn = [], extensionsOff = [] }: OriginVhost['phpParameters']): Choice => ({
  extensionsOn,
  extensionsOff,
})

/** Edits the PHP version and parameters of a website, with a preview of the files. */
export default function PhpModal({ vhost: shown, close }: { vhost: OriginVhost; close: () => void }) {
  const vhost = useOpened(shown)
  const { id, domain, version } = vhost
  const [draft, setDraft] = useState(draftOf(vhost.phpParameters))
  const [choice, setChoice] = useState(choiceOf(vhost.phpParameters))
  const modules = useModules(vhost.serverId)
  const form = useCallForm(originVhostsApi.php, {
    initial: { phpModule: vhost.phpModule, phpParameters: { ...changeOf(draft), ...choice } },
    valuesOf: ({ phpParameters }: OriginVhost) => ({
      phpParameters: { ...changeOf(draftOf(phpParameters)), ...choiceOf(phpParameters) },
    }),
    onMerged: ({ phpParameters }) => {
      setDraft(draftOf(phpParameters as OriginVhost['phpParameters']))
      setChoice(choiceOf(phpParameters as OriginVhost['phpParameters']))
    },
    fixed: { id, version },
    labels: { phpModule: 'PHP', phpParameters: 'Settings' },
    onDone: ({ workflowId }) => {
      void readAgain(['originVhosts', 'websites', 'workflows'])
      if (workflowId)
        toast.info(`Changing the PHP of ${domain}`, 'The change is undone automatically if the website fails.')
      close()
    },
  })
  const write = (next: typeof draft) => {
    setDraft(next)
    form.set('phpParameters', { ...changeOf(next), ...choice })
  }
  const choose = (next: Choice) => {
    setChoice(next)
    form.set('phpParameters', { ...changeOf(draft), ...next })
  }
  const module = form.field('phpModule')
  const extensions = useQuery({
    ...originVhostsApi.extensions.query({ id, phpModule: module.value }),
    retry: false,
  })
  return (
    <FormModal
      opened
      close={close}
      title={`PHP of ${domain}`}
      save="Change PHP"
      form={{ ...form, valid: form.valid && form.dirty && isRight(draft) }}
      nothing="Nothing was changed."
      size={760}
    >
      <Select
        label="PHP"
        allowDeselect={false}
        data={[...new Set([vhost.phpModule, ...modules])]}
        value={module.value}
        onChange={(name) => module.onChange(name ?? vhost.phpModule)}
        error={module.error}
        description={`Of those that ${vhost.serverName} has`}
      />
      <PhpFields value={draft} onChange={write} refused={form.refused} />
      <ExtensionFields
        phpModule={module.value}
        here={extensions.data?.extensions}
        failed={extensions.error?.message}
        value={choice}
        onChange={choose}
        error={form.refused['phpParameters.extensionsOn'] ?? form.refused['phpParameters.extensionsOff']}
      />
      <Preview id={id} wanted={form.values} right={form.valid && isRight(draft)} />
      <Text c="dimmed" fz="xs">
        With own settings the website runs in a PHP of its own, within the limits of its account. If it then answers
        worse, the change is undone.
      </Text>
    </FormModal>
  )
}

type Wanted = Pick<Parameters<typeof originVhostsApi.diff>[0], 'phpModule' | 'phpParameters'>

/** Previews the changed files, requested from the server on demand. */
function Preview({ id, wanted, right }: { id: number; wanted: Wanted; right: boolean }) {
  const [seen, setSeen] = useState<{ of: string; files: Awaited<ReturnType<typeof originVhostsApi.diff>>['files'] }>()
  const { busy, run } = useAct()
  const now = JSON.stringify(wanted)
  const look = () => run(async () => setSeen({ of: now, ...(await originVhostsApi.diff({ id, ...wanted })) }))
  return (
    <div>
      <ActButton
        size="xs"
        variant="default"
        loading={busy}
        reason={right ? undefined : 'Something above is not right yet.'}
        onClick={() => void look()}
      >
        Show what changes on the server
      </ActButton>
      {seen?.of === now && (
        <div style={{ marginTop: 10 }}>
          <FileDiffs files={seen.files} none="No file would change." />
        </div>
      )}
    </div>
  )
}
