export const limitState = '/var/lib/innkeeper-limit'
/** The secret of the addresses to which bounces of forwarded mail return. */
export const srsSecret = `${limitState}/.srs`
/** Mail to the addresses for reports, a file each. */
export const reportsFolder = `${limitState}/.reports`
/** Ports of loopback that take counted mail of sendmail, and forwarded mail. */
export const countedPort = 4484
export const forwardedPort = 4485
/** Mail that is handed on from this address of loopback is not signed. */
const unsignedAddress = '127.0.0.2'

/**
 * Hands mail on to a port of loopback: mail of sendmail after it was counted, and forwarded mail with a sender of the
 * forwarding domain (SRS), so that SPF holds at the receiver. A bounce to such a sender finds its way back for three
 * weeks. A `Delivered-To` header of each forwarding address ends loops, also over several servers.
 */
export const handText = String.raw`
# Postfix reads the exit code, and the first line as the reason
sub leave { my ($code, $why) = @_; print "$why\n"; exit $code }

sub reply {
  my ($socket) = @_;
  while (my $line = <$socket>) { return $line if $line =~ /^\d{3} / }
  leave(75, '4.4.2 Postfix ended the connection');
}

sub ask {
  my ($socket, $line) = @_;
  print $socket "$line\r\n";
  my $answer = reply($socket);
  return if $answer =~ /^[23]/;
  $answer =~ s/[\r\n]+$//;
  $answer =~ s/^\d{3} //;
  leave($answer =~ /^5/ ? 69 : 75, $answer);
}

# the address of loopback from which mail is handed on; rspamd signs nothing that comes from another one
my $signed = '127.0.0.1';

# hands on the lines that were read already, and the rest of STDIN
sub hand_on {
  my ($port, $sender, $to, @read) = @_;
  my $socket = IO::Socket::INET->new(LocalAddr => $signed, PeerAddr => '127.0.0.1', PeerPort => $port, Timeout => 60) or leave(75, '4.4.1 Postfix does not take the message again');
  reply($socket);
  ask($socket, 'EHLO localhost');
  ask($socket, "MAIL FROM:<$sender> BODY=8BITMIME");
  ask($socket, "RCPT TO:<$to>");
  ask($socket, 'DATA');
  while (defined(my $line = @read ? shift @read : <STDIN>)) {
    $line =~ s/\r?\n$//;
    $line =~ s/^\./../;
    print $socket "$line\r\n";
  }
  ask($socket, '.');
  print $socket "QUIT\r\n";
  exit 0;
}

# mail of the sendmail program; the user is in the first header, which Postfix wrote
sub count {
  my ($id, $sender, $to) = @_;
  my @read;
  while (defined(my $line = <STDIN>)) {
    push @read, $line;
    last unless $line =~ /^(?:Received:|[ \t])/i && @read < 10;
  }
  my $who = ($read[0] // '') =~ /^Received: by \S+ \(Postfix, from userid (\d+)\)/ ? getpwuid($1) // "#$1" : undef;
  my $why = defined $who ? refusal($who, 1, $sender, $id) : undef;
  # never back to the sender, whose address may be forged
  leave(75, $why =~ s/^\d{3} 5/4/r =~ s/^\d{3} //r) if $why;
  # without a sender, nobody can tell whether the From header is its own
  $signed = '${unsignedAddress}' if $sender !~ /@/ && defined $who && is_judged($who);
  hand_on(${countedPort}, $sender, $to, @read);
}

my $letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
my $secret;
sub proof {
  if (!defined $secret) {
    open(my $file, '<', '${srsSecret}') or leave(75, '4.3.0 The secret of forwards is missing');
    $secret = <$file>;
  }
  return substr(hmac_sha256_base64(lc join('|', @_), $secret), 0, 6) =~ tr{+/}{AB}r;
}
sub today { return int(time / 86400) % 1024 }

sub forwarding_address {
  my ($sender, $domain) = @_;
  my ($local, $from) = $sender =~ /^(.+)@([^@]+)$/ or return $sender;
  return $sender if lc $from eq lc $domain;
  if ($local =~ /^SRS0[=+-](.+)$/i) { return 'SRS1=' . proof($from, $1) . "=$from==$1\@$domain" }
  if ($local =~ /^SRS1[=+-][^=]+=([^=]+)==(.+)$/i) { return 'SRS1=' . proof($1, $2) . "=$1==$2\@$domain" }
  my $stamp = substr($letters, today() >> 5, 1) . substr($letters, today() & 31, 1);
  return 'SRS0=' . proof($stamp, $from, $local) . "=$stamp=$from=$local\@$domain";
}

# the address before SRS, or undef if it is not ours or too old
sub former_address {
  # servers on the way may change capitals
  my ($local) = $_[0] =~ /^(.+)@[^@]+$/ or return;
  if ($local =~ /^SRS1[=+-]([^=]+)=([^=]+)==(.+)$/i) { return lc $1 eq lc proof($2, $3) ? "SRS0=$3\@$2" : undef }
  my ($proof, $stamp, $from, $name) = $local =~ /^SRS0[=+-]([^=]+)=([A-Z2-7]{2})=([^=]+)=(.+)$/i or return;
  return unless lc $proof eq lc proof($stamp, $from, $name);
  my ($high, $low) = map { index($letters, uc) } split //, $stamp;
  my $age = (today() - ($high * 32 + $low)) % 1024;
  return $age <= 21 ? "$name\@$from" : undef;
}

sub forward {
  my ($sender, $original, $to, $user, $client) = @_;
  $original = lc $original;
  my ($domain) = $original =~ /@([^@]+)$/ or hand_on(${forwardedPort}, $sender, $to);
  open(my $file, '<', '/etc/postfix/innkeeper/domains') or leave(75, '4.3.0 The domains of this server are missing');
  my %ours = map { /^(\S+) / ? (lc $1 => 1) : () } <$file>;
  hand_on(${forwardedPort}, $sender, $to) unless $ours{$domain};
  my ($size, @read) = 0;
  while (defined(my $line = <STDIN>)) {
    push @read, $line;
    leave(69, "5.4.6 Mail forwarding loop for $original") if $line =~ /^Delivered-To:\s*\Q$original\E\s*$/i;
    last if $line =~ /^\r?\n$/ || ($size += length $line) > 262144;
  }
  # SPF holds for a sender of this server, and would hold for one that an outsider forges
  my $from_here = $user ne 'user=' || $client =~ /^client=(?:127\..*|::1)?$/;
  my $stays = $from_here && $sender !~ /^SRS[01][=+-]/i && $sender =~ /@([^@]+)$/ && $ours{lc $1};
  my $from = $stays ? $sender : forwarding_address($sender, $domain);
  hand_on(${forwardedPort}, $from, $to, "Delivered-To: $original\n", @read);
}

# keeps a report of another server, until Innkeeper reads it
sub report {
  my ($to) = @_;
  mkdir '${reportsFolder}';
  opendir(my $folder, '${reportsFolder}') or leave(75, '4.3.0 The folder of reports is missing');
  my $there = () = readdir $folder;
  leave(75, '4.3.1 Too many reports wait here') if $there > 1000;
  my $name = '${reportsFolder}/' . time . "-$$";
  open(my $file, '>', "$name.new") or leave(75, '4.3.0 The report cannot be stored');
  print $file "Delivered-To: " . lc($to) . "\n";
  while (defined(my $line = <STDIN>)) { print $file $line }
  close $file or leave(75, '4.3.1 The report cannot be stored');
  rename "$name.new", $name or leave(75, '4.3.0 The report cannot be stored');
  exit 0;
}

# answers Postfix what a recipient was before SRS; socketmap_table(5)
sub srs {
  binmode STDIN;
  while (1) {
    my ($length, $byte) = '';
    while (read(STDIN, $byte, 1)) { last if $byte eq ':'; $length .= $byte }
    last unless $length =~ /^\d{1,5}$/;
    last unless read(STDIN, my $asked, $length + 1) == $length + 1;
    my $found = $asked =~ /^\S+ (\S+),$/ ? former_address($1) : undef;
    my $answer = defined $found ? "OK $found" : 'NOTFOUND ';
    print length($answer), ":$answer,";
  }
}
`
