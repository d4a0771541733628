import type { FtpUser } from '@innkeeper/contract/hosting/ftpUsers'
import { Alert } from '@mantine/core'
import { useState } from 'react'
import { useReason } from '../../kit/access/reasons.ts'
import { Facts } from '../../kit/frame/Section.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { CodeBlock } from '../../kit/look/CodeBlock.tsx'
import { When } from '../../kit/look/When.tsx'
import { PasswordOnce } from '../sftp/PasswordOnce.tsx'
import { makePassword } from './acts.ts'
import { ftpUsersApi } from './api.ts'
import { notChangeable } from './words.ts'

/** How a client signs in, and when the user did last. */
export function SignIn({ user }: { user: FtpUser }) {
  const lacking = useReason()
  const [password, setPassword] = useState<string>()
  const { username, refused, connection, domain, passwordSetAt, lastLoginAt, lastLoginFrom } = user
  const host = connection.host ?? domain
  return (
    <div>
      {refused && (
        <Alert color="yellow" variant="light" mb={12} py={8}>
          Nobody can sign in: {refused}.
        </Alert>
      )}
      <Facts
        of={[
          [
            'Explicit TLS',
            <CodeBlock key="address" label="address of the FTP server">
              {`ftp://${username}@${host}:${connection.port}`}
            </CodeBlock>,
          ],
          [
            'Implicit TLS',
            <CodeBlock key="implicit" label="address of the FTP server for implicit TLS">
              {`ftps://${username}@${host}:${connection.implicitPort}`}
            </CodeBlock>,
          ],
          [
            'Encryption',
            `Use explicit TLS if the program offers both. The name ${domain} has the certificate of the website; other names have one of the server.`,
          ],
          [
            'Last login',
            lastLoginAt ? (
              <span key="login">
                <When at={lastLoginAt} /> from {lastLoginFrom}
              </span>
            ) : (
              'never'
            ),
          ],
          [
            'Password',
            <span key="password">
              set <When at={passwordSetAt} />{' '}
              <ActButton
                size="xs"
                variant="default"
                ml={8}
                reason={lacking(ftpUsersApi.setPassword) ?? notChangeable(user)}
                onClick={() => void makePassword(user).then((made) => made && setPassword(made))}
              >
                New password…
              </ActButton>
            </span>,
          ],
        ]}
      />
      {password && <PasswordOnce username={username} password={password} close={() => setPassword(undefined)} />}
    </div>
  )
}
