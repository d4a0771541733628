import type { websites } from '@innkeeper/contract/hosting/websites'
import type { Output } from '@innkeeper/contract/kit/endpoint'
import { List, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { websitesApi } from './api.ts'

interface Props {
  websiteId: number
  way: keyof Output<typeof websites.leftOut>
}

/** What the website has and loses on this way, before people start. */
export function LeftOut({ websiteId, way }: Props) {
  const { data } = useQuery(websitesApi.leftOut.query({ id: websiteId }))
  const texts = data?.[way] ?? []
  if (!texts.length) return null
  return (
    <div>
      <Text fz="sm" fw={600}>
        Does not come along
      </Text>
      <List size="sm" c="dimmed">
        {texts.map((text) => (
          <List.Item key={text}>{text}</List.Item>
        ))}
      </List>
    </div>
  )
}
