import type { OriginVhost } from '@innkeeper/contract/net/originVhosts/shapes'
import { Select, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { FormScreen } from '../../../kit/form/FormScreen.tsx'
import { PickOne } from '../../../kit/form/PickOne.tsx'
import { useCallForm } from '../../../kit/form/useCallForm.ts'
import { originVhostsApi } from '../api.ts'
import { changeOf, draftOf, type PhpDraft } from '../words.ts'
import { isRight, PhpFields } from './PhpFields.tsx'
import { useModules } from './useModules.ts'

export default function OriginCreateScreen() {
  const navigate = useNavigate()
  const [draft, setDraft] = useState(draftOf({}))
  const [chosen, setChosen] = useState<OriginVhost>()
  const form = useCallForm(originVhostsApi.create, {
    initial: { websiteId: undefined as number | undefined, phpModule: '', phpParameters: changeOf(draft) },
    labels: { websiteId: 'Website', phpModule: 'PHP' },
    onDone: ({ data }) => {
      void readAgain(['originVhosts', 'websites', 'workflows'])
      void navigate({ to: '/websites/$id', params: { id: String(data.id) } })
    },
  })
  const write = (next: PhpDraft) => {
    setDraft(next)
    form.set('phpParameters', changeOf(next))
  }
  const website = form.field('websiteId')
  const module = form.field('phpModule')
  const modules = useModules(chosen?.serverId ?? 0)
  return (
    <FormScreen
      form={form}
      nothing="Nothing was changed."
      left="The website gets a PHP of its own. If the website then answers worse, the change is undone."
      save="Set PHP"
      disabled={!isRight(draft)}
      onCancel={() => void navigate({ to: '/vhost/origin' })}
    >
      <PickOne
        label="Website"
        required
        placeholder="Domain"
        call={originVhostsApi.list}
        nameOf={({ domain }) => domain}
        hint={({ ownerName, serverName }) => `${ownerName}, ${serverName}`}
        closed={({ own }) => (own ? 'has something set already: change that' : undefined)}
        value={website.value ?? null}
        onChange={(id, row) => {
          website.onChange(id ?? undefined)
          setChosen(row)
          module.onChange(row?.phpModule ?? '')
        }}
        onBlur={website.onBlur}
        error={website.error}
      />
      <Select
        label="PHP"
        allowDeselect={false}
        data={[...new Set([...(chosen ? [chosen.phpModule] : []), ...modules])]}
        value={module.value || null}
        onChange={(name) => module.onChange(name ?? '')}
        disabled={!chosen}
        description={chosen ? `Of those that ${chosen.serverName} has` : 'Choose a website first'}
        error={module.error}
      />
      <PhpFields value={draft} onChange={write} refused={form.refused} />
      <Text c="dimmed" fz="xs">
        Empty fields use the defaults.
      </Text>
    </FormScreen>
  )
}
