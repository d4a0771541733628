import { type MadeLink, MOST_LINK_DAYS, type NewPassword } from '@innkeeper/contract/recovery/archiveImports/passwords'
import { Text } from '@mantine/core'
import { useState } from 'react'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { SecretOnce } from '../../../kit/dialogs/SecretOnce.tsx'
import { FormModal } from '../../../kit/form/FormModal.tsx'
import { NumberField } from '../../../kit/form/NumberField.tsx'
import { useCallForm } from '../../../kit/form/useCallForm.ts'
import { counted, moment } from '../../../kit/look/format.ts'
import { Mono } from '../../../kit/look/Mono.tsx'
import { archiveImportsApi } from '../api.ts'
import { touched } from '../words.ts'

interface Props {
  importId: number
  passwords: readonly NewPassword[]
  close: () => void
}
const addressOf = ({ link }: MadeLink) => `${globalThis.location.origin}${link}`
const DAYS = 7

/** Asks until when links open, and shows them once. */
export default function LinksModal({ importId, passwords, close }: Props) {
  const [links, setLinks] = useState<readonly MadeLink[]>()
  const [first] = passwords
  const form = useCallForm(archiveImportsApi.makeLinks, {
    initial: { days: DAYS },
    fixed: { id: importId, passwordIds: passwords.map(({ id }) => id) },
    labels: { days: 'Days' },
    onDone: (made) => {
      void readAgain(touched)
      setLinks(made.links)
    },
  })
  const days = form.field('days')
  if (links) return <Made links={links} close={close} />
  const isOther = first !== undefined && !first.isKept
  return (
    <FormModal
      opened
      close={close}
      title={passwords.length > 1 ? `Links for ${passwords.length} passwords` : `Link for ${first?.login}`}
      save={passwords.length > 1 ? 'Make links' : 'Make link'}
      form={form}
      nothing="No link was made."
    >
      <Text c="dimmed" fz="xs">
        {isOther
          ? 'The account gets another password now, which the link shows. Programs with the present one are refused from then on.'
          : 'Each link opens once and shows the password of one account. A former link of the account ends.'}
      </Text>
      <NumberField
        label="Open for"
        description="Days. Then the link ends, and Innkeeper forgets the password."
        min={1}
        max={MOST_LINK_DAYS}
        {...days}
        onChange={(value) => days.onChange(Number(value))}
      />
    </FormModal>
  )
}

const Made = ({ links, close }: { links: readonly MadeLink[]; close: () => void }) => {
  const [first] = links
  const until = first ? moment(first.expiresAt) : ''
  return links.length === 1 && first ? (
    <SecretOnce
      title={`Link for ${first.login}`}
      text={
        <>
          Send it to whoever uses <Mono>{first.login}</Mono>. Whoever opens it first sees the password.
        </>
      }
      label="one-use link"
      secret={addressOf(first)}
      note={`It works once, until ${until}. It is not shown again; a new one can be made at any time.`}
      close={close}
    />
  ) : (
    <SecretOnce
      title={counted(links.length, ['link', 'links'])}
      text="A line for each account. Send each link to whoever uses the account: whoever opens it first sees the password."
      label="one-use links"
      secret={links.map((one) => `${one.login}\t${addressOf(one)}`).join('\n')}
      note={`Each works once, until ${until}. They are not shown again; new ones can be made at any time.`}
      close={close}
    />
  )
}
