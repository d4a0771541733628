/**
 * Counts the recipients that each signed-in sender has written to in the last hour, alone and with the others of its
 * account; Postfix asks at the end of a message.
 */
export const limitProgram = '/usr/lib/innkeeper/mail-limit.pl'
export const limitState = '/var/lib/innkeeper-limit'

export const limitText = `#!/usr/bin/perl
# Written by Innkeeper. Changes are overwritten.
use strict;
use warnings;
use Fcntl qw(:flock SEEK_SET);
$| = 1;
my (%asked, %limits, $read);

sub limits {
  my @now = stat('/etc/postfix/innkeeper/limits') or return;
  return if defined $read && $read eq "$now[9] $now[7] $now[1]";
  $read = "$now[9] $now[7] $now[1]";
  %limits = ();
  open(my $file, '<', '/etc/postfix/innkeeper/limits') or return;
  while (<$file>) { $limits{$1} = [$2, $3, $4] if /^(\\S+) (\\d+|-)(?: (\\S+) (\\d+|-))?$/ }
  close $file;
}

# what was sent in the last hour, with the open and locked file
sub sent {
  my ($name) = @_;
  open(my $file, '+>>', '${limitState}/' . $name) or return;
  flock($file, LOCK_EX);
  seek($file, 0, SEEK_SET);
  my $now = time;
  my @lines = grep { /^(\\d+) \\d+$/ && $1 > $now - 3600 } <$file>;
  my $sum = 0;
  for (@lines) { $sum += $1 if /^\\d+ (\\d+)$/ }
  return { file => $file, lines => \\@lines, sum => $sum };
}

# a folder for each domain: an address may be longer than the name of a file
sub own {
  my ($local, $domain) = split /@/, $_[0], 2;
  mkdir '${limitState}/' . $domain;
  return "$domain/$local";
}

sub note {
  my ($sent, $count) = @_;
  my $file = $sent->{file};
  seek($file, 0, SEEK_SET);
  truncate($file, 0);
  print $file @{$sent->{lines}}, time . " $count\\n";
}

sub answer {
  my $who = lc($asked{sasl_username} // '');
  limits();
  my ($own, $account, $most) = @{$limits{$who} or return 'DUNNO'};
  my $count = $asked{recipient_count} || 1;
  # always the mailbox first: two processes never wait for each other
  my $alone = $own eq '-' ? undef : sent(own($who));
  my $together = defined $account ? sent($account) : undef;
  return "450 4.7.1 This mailbox may write to $own recipients an hour: try again later" if $alone && $alone->{sum} + $count > $own;
  return "450 4.7.1 This account may write to $most recipients an hour: try again later" if $together && $most ne '-' && $together->{sum} + $count > $most;
  note($alone, $count) if $alone;
  note($together, $count) if $together;
  return 'DUNNO';
}

while (my $line = <STDIN>) {
  chomp $line;
  if ($line =~ /^([^=]+)=(.*)$/) { $asked{$1} = $2; next }
  print 'action=', answer(), "\\n\\n";
  %asked = ();
}
`
