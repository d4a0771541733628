import type { Profile } from '@innkeeper/contract/access/profiles'
import { FileButton, Group, Stack, Text } from '@mantine/core'
import { IconPhoto, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { session } from '../../../kit/access/session.ts'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { confirm, errorDialog } from '../../../kit/dialogs/dialogs.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { Avatar } from '../../../kit/look/Avatar.tsx'
import { useAct } from '../../../kit/look/useAct.ts'
import { profilesApi } from '../api.ts'
import { CropModal } from './CropModal.tsx'

/** Larger files are scans rather than photographs, and freeze the browser. */
const MOST_BYTES = 25 * 1024 * 1024

/** The person's picture with the actions that change it; `reason` says why they are disabled. */
export function Picture({ profile, reason }: { profile: Profile; reason?: string }) {
  const { _id: id, personalDetails } = profile
  const { firstName, lastName, image } = personalDetails
  const [picture, setPicture] = useState<ImageBitmap>()
  const { busy, run } = useAct()

  const done = async (saved: Profile, said: string) => {
    if (id === session.user.id) session.update({ profileImage: saved.personalDetails.image })
    toast.success(said)
    await readAgain(['profiles'])
  }
  const choose = async (file: File | null) => {
    if (!file) return
    if (file.size > MOST_BYTES) return errorDialog(`${file.name} is larger than 25 MB. Choose a smaller picture.`)
    const read = await createImageBitmap(file).catch(() => undefined) // any failure shows the dialog below
    if (read) setPicture(read)
    else await errorDialog(`${file.name} is no picture that this browser can read. Choose a PNG, JPEG or WebP.`)
  }
  const save = async (blob: Blob) => {
    await done(await profilesApi.update({ id, image: blob }), 'The picture is saved')
    setPicture(undefined)
  }
  const remove = async () => {
    const sure = await confirm({
      title: 'Remove the picture?',
      text: 'The initials are shown instead.',
      verb: 'Remove picture',
      danger: true,
    })
    if (sure) await run(async () => done(await profilesApi.update({ id, removeImage: true }), 'The picture is removed'))
  }

  return (
    <Group gap={16} wrap="nowrap">
      <Avatar name={`${firstName} ${lastName}`} image={image} size={80} />
      <Stack gap={6}>
        <Group gap={8}>
          {reason ? (
            <ActButton variant="default" reason={reason}>
              Choose picture…
            </ActButton>
          ) : (
            <FileButton accept="image/png,image/jpeg,image/webp,image/gif" onChange={(file) => void choose(file)}>
              {(props) => (
                <ActButton {...props} variant="default" leftSection={<IconPhoto size={15} />}>
                  Choose picture…
                </ActButton>
              )}
            </FileButton>
          )}
          {image && (
            <ActButton
              variant="subtle"
              color="secondary"
              reason={reason}
              loading={busy}
              leftSection={<IconTrash size={15} />}
              onClick={() => void remove()}
            >
              Remove
            </ActButton>
          )}
        </Group>
        <Text c="dimmed" fz="xs">
          PNG, JPEG or WebP. It is cut to a square here, before it is sent.
        </Text>
      </Stack>
      {picture && <CropModal picture={picture} close={() => setPicture(undefined)} save={save} />}
    </Group>
  )
}
