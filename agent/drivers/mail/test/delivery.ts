import { expect } from 'vitest'
import type { Host, Practice } from '../../../test/practice.ts'

const socket = '/var/spool/postfix/private/dovecot-lmtp'

/** Delivers one message after another as Postfix does, over new connections, until a file exists. Prints titles that Dovecot took. */
const script = (name: string, to: string) => `use strict; use IO::Socket::UNIX; use Time::HiRes 'sleep';
# Dovecot closes connections that have begun nothing
$SIG{PIPE} = 'IGNORE';
for (my $n = 0; !-e '/run/enough'; $n++) {
  my $line = IO::Socket::UNIX->new(Peer => '${socket}') or do { sleep 0.02; next }; $line->autoflush(1); my $heard = '';
  my $hear = sub { $heard = ''; while (my $answer = <$line>) { $heard = $answer; last if $answer =~ /^\\d{3} / } };
  $hear->(); for my $say ('LHLO here', 'MAIL FROM:<stranger@elsewhere.example>', 'RCPT TO:<${to}>', 'DATA',
    "Subject: ${name}$n\\r\\n\\r\\nHello\\r\\n.") { print $line "$say\\r\\n"; $hear->() }
  print "${name}$n\\n" if $heard =~ /^250 /;
  close $line;
}`

/** Delivers messages to Dovecot in three streams while `work` runs. Answers the titles that Dovecot said it saved, sorted. */
export async function deliveredDuring(p: Practice<Host>, name: string, to: string, work: () => Promise<void>) {
  await p.sh('rm', '-f', '/run/enough')
  const streams = ['a', 'b', 'c'].map((stream) => p.host.exec(['perl', '-e', script(`${name}${stream}`, to)]))
  await work()
  await p.sh('touch', '/run/enough')
  const ended = await Promise.all(streams)
  for (const { code, stderr } of ended) expect([code, stderr]).toEqual([0, ''])
  return ended.flatMap(({ stdout }) => stdout.trim().split('\n').filter(Boolean)).toSorted()
}
