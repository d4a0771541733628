import { fullText } from './mailFull.ts'
import { handText, limitState } from './mailHand.ts'

/**
 * Counts the recipients of each sender in the last hour, alone and with the others of its account. Senders are signed-in
 * mailboxes, and accounts of websites, whose PHP and programs send without signing in. Postfix asks at the end of a
 * message that comes by SMTP; `mailHand.ts` counts what comes by sendmail. The files of the counts outlive every restart.
 */
export const limitProgram = '/usr/lib/innkeeper/mail-limit.pl'
/** A file for each stopped sender: when it was stopped, the recipients that it tried in that hour, its limit. */
export const stoppedFolder = `${limitState}/.stopped`
/** Counts of accounts of websites; those of mailboxes are in a folder for each domain. */
export const scriptsFolder = `${limitState}/.scripts`
/** Usual limits of accounts: name, recipients an hour of a mailbox, of all together, and the user if it is here. */
export const accountLimits = '/etc/postfix/innkeeper/accounts'
/** Users that sendmail refuses. */
export const stoppedUsers = '/etc/postfix/innkeeper/stopped'

const counting = String.raw`#!/usr/bin/perl
# Written by Innkeeper. Changes are overwritten.
use strict;
use warnings;
use Fcntl qw(:flock SEEK_SET);
use IO::Socket::INET;
use IO::Socket::UNIX;
use Digest::SHA qw(hmac_sha256_base64);
$| = 1;
my $state = '${limitState}';
my (%seen, %limits, %accounts, %scripts);

# the lines of a file that is new or has changed since the last call
sub changed_lines {
  my ($name) = @_;
  my @now = stat($name);
  my $mark = @now ? "$now[9] $now[7] $now[1]" : 'none';
  return if defined $seen{$name} && $seen{$name} eq $mark;
  $seen{$name} = $mark;
  open(my $file, '<', $name) or return [];
  return [<$file>];
}

sub read_limits {
  if (my $lines = changed_lines('/etc/postfix/innkeeper/limits')) {
    %limits = ();
    for (@$lines) { $limits{$1} = [$2, $3, $4] if /^(\S+) (\d+|-)(?: (\S+) (\d+|-))?$/ }
  }
  if (my $lines = changed_lines('${accountLimits}')) {
    (%accounts, %scripts) = ();
    for (@$lines) {
      next unless /^(\S+) (\d+) (\d+)(?: (\S+))?$/;
      $accounts{$1} = [$2, $3];
      $scripts{$4} = $1 if defined $4;
    }
  }
}

# recipients an hour of a sender, its account, recipients an hour of the account; '-' is without limit
sub limits_of {
  my ($who) = @_;
  read_limits();
  my ($own, $account, $most) = ('-', undef, undef);
  if ($who =~ /@/) { ($own, $account, $most) = @{$limits{$who} or return} }
  else { $account = $scripts{$who} or return }
  my $usual = $accounts{$account // ''} // $accounts{'*'} // ['-', '-'];
  $own = $usual->[0] if $own eq '-';
  $most = $usual->[1] if !defined $most || $most eq '-';
  return ($own, $account, $most);
}

# the counts of a sender or an account by minute and by hour, with the open and locked file
sub counted {
  my ($name) = @_;
  open(my $file, '+>>', "$state/$name") or return;
  flock($file, LOCK_EX);
  seek($file, 0, SEEK_SET);
  my $now = int(time / 60);
  my %found = (file => $file, now => $now, m => {}, h => {}, q => {}, sent => 0, refused => 0);
  while (<$file>) {
    next unless /^([mhq]) (\S+) (\d+)(?: (\d+))?$/;
    if ($1 eq 'm' && $2 > $now - 60 && $2 <= $now) {
      $found{m}{$2} = [$3, $4];
      $found{sent} += $3;
      $found{refused} += $4;
    }
    $found{h}{$2} = [$3, $4] if $1 eq 'h' && $2 > int($now / 60) - 24 && $2 <= int($now / 60);
    $found{q}{$2} = $3 if $1 eq 'q' && $3 > $now - 360;
  }
  return \%found;
}

sub add {
  my ($counts, $sent, $refused) = @_;
  for ([m => $counts->{now}], [h => int($counts->{now} / 60)]) {
    my ($kind, $at) = @$_;
    $counts->{$kind}{$at}[0] += $sent;
    $counts->{$kind}{$at}[1] += $refused;
  }
  my $file = $counts->{file};
  seek($file, 0, SEEK_SET);
  truncate($file, 0);
  for my $kind ('m', 'h') { print $file "$kind $_ $counts->{$kind}{$_}[0] $counts->{$kind}{$_}[1]\n" for keys %{$counts->{$kind}} }
  print $file "q $_ $counts->{q}{$_}\n" for keys %{$counts->{q}};
}

# a folder for each domain: an address may be longer than the name of a file
sub own_file {
  my ($who) = @_;
  my ($folder, $name) = $who =~ /^(.*)@(.*)$/ ? ($2, $1) : ('.scripts', $who);
  mkdir "$state/$folder";
  return "$folder/$name";
}

# a quarter more than the limit is let through: people may just be about to finish
sub with_burst { my ($most) = @_; return $most + int($most / 4) }

# undef, or why a sender may not write to $count more recipients; $id: a queued message, whose refusal counts once
sub refusal {
  my ($who, $count, $id) = @_;
  my ($own, $account, $most) = limits_of($who) or return;
  my $kind = $who =~ /@/ ? 'mailbox' : "website account $who";
  # always the sender first: two processes never wait for each other
  my $alone = counted(own_file($who)) or return;
  my $together = defined $account ? counted($account) : undef;
  my $stopped = -e "$state/.stopped/$who";
  my $why;
  if ($stopped) {
    $why = "554 5.7.1 This $kind wrote to too many recipients within an hour and is stopped, until the provider lifts the stop";
  } elsif ($own ne '-' && $alone->{sent} + $count > with_burst($own)) {
    $why = "450 4.7.1 This $kind may write to $own recipients an hour: try again later";
  } elsif ($together && $most ne '-' && $together->{sent} + $count > with_burst($most)) {
    $why = "450 4.7.1 This account may write to $most recipients an hour: try again later";
  }
  if (!$why) {
    add($alone, $count, 0);
    add($together, $count, 0) if $together;
    return;
  }
  my $again = defined $id && defined $alone->{q}{$id};
  # beyond a thousand the oldest are of no interest: the sender is stopped by then
  $alone->{q}{$id} = $alone->{now} if defined $id && keys %{$alone->{q}} < 1000;
  add($alone, 0, $again ? 0 : $count);
  my $tried = $alone->{sent} + $alone->{refused} + ($again ? 0 : $count);
  if (!$stopped && $own ne '-' && $tried > 2 * $own && $tried > $own + 20) {
    mkdir "$state/.stopped";
    if (open(my $file, '>', "$state/.stopped/$who")) { print $file time . " $tried $own\n" }
  }
  return $why;
}

# the user whose program is at the other end of a connection over loopback; undef if no program has it open any more:
# the kernel names root for such connections
sub user_at {
  my ($address, $port, $to) = @_;
  my $four = sprintf '%02X' x 4, reverse split /\./, $address =~ /^[\d.]+$/ ? $address : '0.0.0.0';
  my $here = $address eq '::1' ? '0{24}01000000' : "(?:0000000000000000FFFF0000)?$four";
  my $ends = sprintf '%s:%04X [0-9A-F]+:%04X', $here, $port, $to;
  for my $table ('tcp', 'tcp6') {
    open(my $file, '<', "/proc/net/$table") or next;
    while (<$file>) {
      next unless /^\s*\d+: $ends /;
      my ($uid, $inode) = (split)[7, 9];
      return $inode ? getpwuid($uid) // "#$uid" : undef;
    }
  }
  return;
}
`

const policy = String.raw`
sub policy {
  my %asked;
  while (my $line = <STDIN>) {
    chomp $line;
    if ($line =~ /^([^=]+)=(.*)$/) { $asked{$1} = $2; next }
    my $who = lc($asked{sasl_username} // '');
    my $address = $asked{client_address} // '';
    my $why;
    if ($who eq '' && $address =~ /^(?:127(?:\.\d{1,3}){3}|::1)$/) {
      my $user = user_at($address, $asked{client_port} || 0, $asked{server_port} || 25);
      if (defined $user) { $who = $user }
      else { $why = '450 4.7.1 The program that sends this has ended the connection: send it again, and wait for the answer' }
    }
    $why = refusal($who, $asked{recipient_count} || 1) if $who ne '';
    print 'action=', $why // 'DUNNO', "\n\n";
    %asked = ();
  }
}
`

const start = `
my ($mode, @more) = @ARGV;
$mode //= 'policy';
if ($mode eq 'policy') { policy() }
elsif ($mode eq 'count') { count(@more) }
elsif ($mode eq 'forward') { forward(@more) }
elsif ($mode eq 'quota') { quota() }
elsif ($mode eq 'report') { report(@more) }
elsif ($mode eq 'srs') { srs() }
`

export const limitText = `${counting}${policy}${fullText}${handText}${start}`
