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
use Socket qw(AF_INET AF_INET6 SOCK_DGRAM inet_pton pack_sockaddr_in);
use Digest::SHA qw(hmac_sha256_base64);
$| = 1;
my $state = '${limitState}';
my (%seen, %limits, %accounts, %scripts, %owners, %owned, $owners_known);
# their mail is that of mailboxes, or was judged before
my %trusted = map { $_ => 1 } qw(root postfix vmail nobody);

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
    (%accounts, %scripts, %owners, %owned) = ();
    $owners_known = 0;
    for (@$lines) {
      $owners_known = 1 if /^owners$/;
      if (/^@(\S+) (\S+)$/) { $owned{$1} = $2; next }
      next unless /^(\S+) (\d+) (\d+)(?: (\S+)(?: (\S+))?)?$/;
      $accounts{$1} = [$2, $3];
      $scripts{$4} = $1 if defined $4 && $4 ne '-';
      $owners{$1} = $5 if defined $5;
    }
  }
}

my %here;
# whether a domain has its mailboxes here, or had them until it moved
sub is_here {
  my ($domain) = @_;
  for my $name ('domains', 'relays') {
    my $lines = changed_lines("/etc/postfix/innkeeper/$name") or next;
    $here{$name} = { map { /^(\S+) / ? ($1 => 1) : () } @$lines };
  }
  return $here{domains}{$domain} || $here{relays}{$domain};
}

# whether the sender of a program is judged: mailboxes have signed in, and Postfix compares them with the sender
sub is_judged { my ($who) = @_; read_limits(); return $owners_known && $who !~ /@/ && !$trusted{$who} }

# why a program of this server may not send as an address: the mail domain belongs to another owner. What a program
# sends as a domain of this server is signed with the key of the domain.
sub not_its_own {
  my ($who, $sender) = @_;
  return unless is_judged($who);
  my ($domain) = lc($sender) =~ /@([^@]*?)\.?$/ or return;
  my $owner = $owned{$domain};
  if (!defined $owner) {
    return is_here($domain) ? "450 4.7.1 The owner of $domain is not known here yet: try again later" : undef;
  }
  return "553 5.7.1 The mail domain $domain belongs to no website: connect it with the website that sends as it" if $owner eq '-';
  my $account = $scripts{$who};
  return "450 4.7.1 The owner of $who is not known here: it may not send as $domain yet" unless defined $account;
  return if ($owners{$account} // '') eq $owner;
  return "553 5.7.1 The website account $who may not send as $domain, whose mailboxes belong to somebody else";
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

# undef, or why $who may not write as $sender to $count more recipients; $id: a queued message, whose refusal counts once
sub refusal {
  my ($who, $count, $sender, $id) = @_;
  my $why = not_its_own($who, $sender);
  my ($own, $account, $most) = limits_of($who) or return $why;
  my $kind = $who =~ /@/ ? 'mailbox' : "website account $who";
  # always the sender first: two processes never wait for each other
  my $alone = counted(own_file($who)) or return;
  my $together = defined $account ? counted($account) : undef;
  my $stopped = -e "$state/.stopped/$who";
  if ($stopped) {
    $why = "554 5.7.1 This $kind wrote to too many recipients within an hour and is stopped, until the provider lifts the stop";
  } elsif (defined $why) {
    # counts as refused
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

# whether an address is one of this machine. A program may also reach Postfix by an outward address, and would pass
# for the mail server itself where receivers compare the sender with the address (SPF).
sub is_own {
  my ($address) = @_;
  if ($address !~ /:/) {
    my $bytes = inet_pton(AF_INET, $address) // return;
    # only own addresses can be bound
    socket(my $try, AF_INET, SOCK_DGRAM, 0) or return;
    return bind($try, pack_sockaddr_in(0, $bytes));
  }
  my $bytes = inet_pton(AF_INET6, $address =~ s/%.*//r) // return;
  open(my $file, '<', '/proc/net/if_inet6') or return;
  my $hex = unpack('H*', $bytes);
  while (<$file>) { return 1 if /^$hex / }
  return;
}

# the user whose program is at the other end of a connection within this machine; undef if no program has it open any
# more: the kernel names root for such connections
sub user_at {
  my ($address, $port, $to) = @_;
  my $bytes = inet_pton($address =~ /:/ ? AF_INET6 : AF_INET, $address =~ s/%.*//r) // return;
  my $here = sprintf '%08X' x (length($bytes) / 4), unpack('V*', $bytes);
  $here = "(?:0000000000000000FFFF0000)?$here" if length $bytes == 4;
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
    if ($who eq '' && is_own($address)) {
      my $user = user_at($address, $asked{client_port} || 0, $asked{server_port} || 25);
      if (defined $user) { $who = $user }
      else { $why = '450 4.7.1 The program that sends this has ended the connection: send it again, and wait for the answer' }
    }
    my $sender = $asked{sender} // '';
    if (!$why && $sender !~ /@/ && $who ne '' && is_judged($who)) {
      # rspamd would sign it for whatever the From header names
      $why = '550 5.7.1 A program of a website names a sender, or uses sendmail';
    }
    $why = refusal($who, $asked{recipient_count} || 1, $sender) if !$why && $who ne '';
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
