import { Alert, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { LinkTo } from '../kit/frame/LinkTo.tsx'
import { count } from '../kit/look/format.ts'
import { lostSecretsApi } from './api.ts'

/** Says that secrets were lost with the key, while the reader can enter any of them; otherwise nothing. */
export function LostLine() {
  const { data } = useQuery(lostSecretsApi.list.query())
  const all = data?.items.reduce((sum, one) => sum + one.count, 0) ?? 0
  if (!all) return null
  return (
    <Alert
      color="error"
      p="10px 14px"
      title={`${count(all)} ${all === 1 ? 'secret was' : 'secrets were'} lost with Innkeeper’s key`}
    >
      <Text>
        Passwords and keys have to be entered again. <LinkTo to="/lost-secrets">See which, and where</LinkTo>
      </Text>
    </Alert>
  )
}
