import { Button, Center, Group, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { ApiError } from '../api/client.ts'
import { Mono } from '../look/Mono.tsx'
import { kitWords } from '../look/texts.ts'
import { frameTexts } from './texts.ts'

/** Drawing of an empty key hook. */
const Hook = ({ tag }: { tag?: string }) => (
  <svg
    width="64"
    height="64"
    viewBox="0 0 64 64"
    fill="none"
    stroke="var(--ink-line-strong)"
    strokeWidth="1.6"
    strokeLinecap="round"
    aria-hidden
  >
    <path d="M8 10h48M32 12.5v6a4.5 4.5 0 0 0 9 0" />
    <circle cx="32" cy="10" r="2.4" fill="var(--ink-sheet)" />
    <g strokeDasharray={tag ? undefined : '3 4'}>
      <rect x="20" y="29" width="24" height="28" rx="6" />
      <circle cx="32" cy="35.5" r="2.2" />
    </g>
    {tag && (
      <text
        x="32"
        y="50.5"
        textAnchor="middle"
        fill="var(--ink-faint)"
        stroke="none"
        fontSize="10"
        fontFamily="var(--mantine-font-family-monospace)"
      >
        {tag}
      </text>
    )}
  </svg>
)

interface EmptyProps {
  title: string
  children: ReactNode
  action?: ReactNode
  /** Two or three letters on the key tag; without them the hook is empty. */
  tag?: string
  order?: 1 | 2
}
/** Text for missing data: what was searched for, the likely reason, and the next step. */
export const EmptyState = ({ title, children, action, tag, order = 2 }: EmptyProps) => (
  <Center style={{ flex: 1 }} mih={320} p="lg">
    <Stack gap={6} align="center" maw={440} ta="center">
      <Hook tag={tag} />
      <Title order={order} fz="md" mt={10}>
        {title}
      </Title>
      <Text c="dimmed" component="div" style={{ overflowWrap: 'anywhere' }}>
        {children}
      </Text>
      {action && (
        <Group gap={8} mt={12} justify="center">
          {action}
        </Group>
      )}
    </Stack>
  </Center>
)

interface ErrorProps {
  /** What failed: "The list could not be loaded". */
  title: string
  error: Error
  /** What was preserved: "Your filters are kept." */
  kept?: string
  onRetry?: () => void
  order?: 1 | 2
}
/** Names the failed action and the error, and offers a retry. */
export const ErrorState = ({ title, error, kept, onRetry, order }: ErrorProps) => (
  <EmptyState
    title={title}
    tag="!"
    order={order}
    action={
      onRetry && (
        <Button variant="default" onClick={onRetry}>
          {kitWords().tryAgain}
        </Button>
      )
    }
  >
    {error.message} {kept}
    {error instanceof ApiError && (
      <>
        <br />
        <Mono fz="xs">
          {[error.call, error.body.requestId && `${frameTexts().request} ${error.body.requestId}`]
            .filter(Boolean)
            .join(' · ')}
        </Mono>
      </>
    )}
  </EmptyState>
)

/** Error of code that did not load. After an update of Innkeeper only a reload fetches the new code. */
export const LoadError = ({ error, onRetry, order }: { error: Error; onRetry: () => void; order: 1 | 2 }) => (
  <EmptyState
    title={frameTexts().unloaded}
    order={order}
    tag="!"
    action={
      <>
        <Button variant="default" onClick={() => globalThis.location.reload()}>
          {frameTexts().reload}
        </Button>
        <Button onClick={onRetry}>{kitWords().tryAgain}</Button>
      </>
    }
  >
    {error.message} {frameTexts().nothingLost}
  </EmptyState>
)
