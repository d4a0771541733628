import type { Staging } from '@innkeeper/contract/hosting/stagings/shapes'
import { Button, Group, List, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { counted, moment } from '../../kit/look/format.ts'
import { stagingsApi } from './api.ts'

/** The held mail of a staging copy, requested from its server on demand. */
export function Mailed({ staging: { website } }: { staging: Staging }) {
  const [asked, setAsked] = useState(false)
  const { data, error, isFetching, refetch } = useQuery({
    ...stagingsApi.heldMail.query({ id: website.id }),
    enabled: asked,
  })
  return (
    <>
      <Group gap={8}>
        <Text>
          {data ? `${counted(data.total, ['message', 'messages'])} held back` : 'its outgoing mail is held back'}
        </Text>
        <Button
          size="xs"
          variant="default"
          loading={isFetching}
          onClick={() => (asked ? void refetch() : setAsked(true))}
        >
          {asked ? 'Look again' : 'Look'}
        </Button>
      </Group>
      {error && <Text c="red">{error.message}</Text>}
      {data && data.items.length > 0 && (
        <List size="xs" spacing={2} mt={4}>
          {data.items.map((mail) => (
            <List.Item key={`${mail.at} ${mail.to}`} style={{ overflowWrap: 'anywhere' }}>
              {moment(mail.at)}: {mail.subject || '(no subject)'}, to {mail.to || 'nobody'}
            </List.Item>
          ))}
        </List>
      )}
    </>
  )
}
