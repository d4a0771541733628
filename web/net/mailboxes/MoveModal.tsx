import type { Mailbox } from '@innkeeper/contract/net/mailboxes/calls'
import { useQuery } from '@tanstack/react-query'
import { Findings } from '../../hosting/moves/wizard/Findings.tsx'
import { readAgain } from '../../kit/api/readAgain.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { FormModal } from '../../kit/form/FormModal.tsx'
import { PickOne } from '../../kit/form/PickOne.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { useOpened } from '../../kit/form/useOpened.ts'
import { serversApi } from '../../machines/servers/api.ts'
import { domains } from './acts.ts'
import { mailboxesApi } from './api.ts'

/** Moves a mail domain to another mail server; shows beforehand what could hinder the move. */
export default function MoveModal({ mailbox, close }: { mailbox: Mailbox; close: () => void }) {
  const { id, domain, serverId: from, version } = useOpened(mailbox)
  const form = useCallForm(mailboxesApi.move, {
    initial: { serverId: undefined as number | undefined, version },
    fixed: { id },
    labels: { serverId: 'Server' },
    onDone: () => {
      void readAgain(domains)
      toast.info(`Moving the mail of ${domain}`)
      close()
    },
  })
  const { required: _, ...server } = form.field('serverId')
  const chosen = form.values.serverId
  const check = useQuery({
    ...mailboxesApi.moveCheck.query({ id, serverId: chosen ?? 0 }),
    enabled: chosen !== undefined,
  })
  const blocked = check.data?.findings.some(({ level }) => level === 'blocker') ?? true
  return (
    <FormModal
      opened
      close={close}
      size={560}
      title={`Move the mail of ${domain}`}
      save="Move"
      form={{ ...form, valid: form.valid && !blocked }}
      nothing="Nothing was moved."
    >
      <PickOne
        label="Server"
        description="The domain receives mail while its mail is copied. Then new mail waits in the queue of the old server for some seconds, and nobody can sign in. Afterwards only another move brings it back."
        placeholder="Name"
        call={{
          query: (input: { search: string; itemsPerPage: number }) =>
            serversApi.list.query({ ...input, type: ['mail', 'all-in-one'] }),
        }}
        nameOf={({ name }) => name}
        hint={(one) => (one.id === from ? 'has it now' : one.type)}
        {...server}
        value={server.value ?? null}
        onChange={(one) => server.onChange(one ?? undefined)}
      />
      {check.data && <Findings findings={check.data.findings} />}
    </FormModal>
  )
}
