import type { WebsiteRow } from '@innkeeper/contract/hosting/websites'
import { Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { readAgain } from '../../kit/api/readAgain.ts'
import { FormModal } from '../../kit/form/FormModal.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { groupsApi } from './api.ts'
import { WebsitePicker } from './WebsitePicker.tsx'

interface Wanted {
  mainWebsite: number | undefined
  ownerId: number | undefined
}
const empty: Wanted = { mainWebsite: undefined, ownerId: undefined }

/** Creates a group from its main website, whose owner becomes the owner of the group. */
export function AddGroup({ close }: { close: () => void }) {
  const navigate = useNavigate()
  const [main, setMain] = useState<WebsiteRow>()
  const form = useCallForm(groupsApi.create, {
    initial: empty,
    labels: { mainWebsite: 'Main website' },
    onDone: ({ id }) => {
      void readAgain(['groups', 'websites'])
      close()
      void navigate({ to: '/websites/groups/$id', params: { id: String(id) } })
    },
  })
  const choose = (website: WebsiteRow | undefined) => {
    setMain(website)
    form.set('mainWebsite', website?.id)
    form.set('ownerId', website?.ownerId)
  }
  const { error, onBlur } = form.field('mainWebsite')
  return (
    <FormModal opened close={close} title="Create group" save="Create group" form={form} nothing="Nothing was created.">
      <WebsitePicker
        label="Main website"
        description="It gives the group its name. More are added on the group’s page."
        value={main}
        onChoose={choose}
        onBlur={onBlur}
        error={error ?? form.refused.ownerId}
      />
      {main && <Text c="dimmed">The group belongs to {main.ownerName}, and so do all of its websites.</Text>}
    </FormModal>
  )
}
