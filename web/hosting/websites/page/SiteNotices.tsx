import type { Website } from '@innkeeper/contract/hosting/websites'
import { Alert, Text } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { useReason } from '../../../kit/access/reasons.ts'
import { LinkTo } from '../../../kit/frame/LinkTo.tsx'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { moment } from '../../../kit/look/format.ts'
import { websitesApi } from '../api.ts'
import { trashLeft } from '../words.ts'
import { restore } from './switching.ts'

/** Notice for a website that was deleted while its page was open. */
export const Gone = ({ domain }: { domain: string }) => (
  <Alert role="status" color="info" p="10px 14px" mb={16} title={`${domain} is deleted`}>
    <LinkTo to="/websites">Back to the websites</LinkTo>
  </Alert>
)

export function InTrash({ website }: { website: Website }) {
  const lacks = useReason()(websitesApi.restore)
  const { domain, serverName, purgeAfter } = website
  return (
    <Alert role="status" color="info" p="10px 14px" mb={16} title={`${domain} is in the trash of ${serverName}`}>
      <Text>
        It is not served. Its files, its account and its logs can be restored
        {purgeAfter && ` until ${moment(purgeAfter)}, ${trashLeft(website)}`}.
      </Text>
      <ActButton
        size="xs"
        mt={8}
        reason={lacks}
        leftSection={<IconArrowBackUp size={14} />}
        onClick={() => void restore(website)}
      >
        Restore
      </ActButton>
    </Alert>
  )
}
