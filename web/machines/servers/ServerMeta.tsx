import { type ServerView, webServerTitles } from '@innkeeper/contract/machines/servers/shapes'
import { Text } from '@mantine/core'
import { Dot } from '../../kit/frame/PageHeader.tsx'
import { Mono } from '../../kit/look/Mono.tsx'
import { typeWord } from './words.ts'

/** The line below the name of a server. */
export const ServerMeta = ({
  server: { type, webServer, address, os, agentVersion, note },
}: {
  server: ServerView
}) => (
  <>
    <Text>{typeWord(type)}</Text>
    {webServer && (
      <>
        <Dot />
        <Text>{webServerTitles[webServer]}</Text>
      </>
    )}
    <Dot />
    {address ? <Mono>{address}</Mono> : <Text>no address yet</Text>}
    {os && (
      <>
        <Dot />
        <Text>{os}</Text>
      </>
    )}
    {agentVersion && (
      <>
        <Dot />
        <Text>
          Agent <Mono>{agentVersion}</Mono>
        </Text>
      </>
    )}
    {note && (
      <>
        <Dot />
        <Text>{note}</Text>
      </>
    )}
  </>
)
