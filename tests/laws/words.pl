#!/usr/bin/perl
# words.pl WORDS FILE...: prints FILE:LINE of each private word of the table WORDS in prose, with the field's term. Prose is comments
# and string literals of code, comments of scripts and YAML files, and pages without their code.
use strict;
use warnings;

my ($table, @files) = @ARGV;
my (@words, $found);
open my $in, '<', $table or die "$table: $!";
while (<$in>) {
    chomp;
    next if /^(#|$)/;
    my ($word, $term) = split /\t+/;
    push @words, [$word, $term];
}
my $all = join '|', map { $_->[0] } @words;
my $any = qr/\b(?:$all)\b/i;
$_->[0] = qr/\b$_->[0]\b(?!-)/i for @words;

sub blank { (my $text = shift) =~ s/[^\n]/ /g; $text }

# The text in which all but prose is blank.
sub prose {
    my ($file, $text) = @_;
    if ($file =~ /\.md$/) {
        $text =~ s/^( *)(```|~~~).*?^\1\2[^\n]*$/blank($&)/gmse;
        $text =~ s/`[^`\n]*`|\]\([^)\n]*\)|<[^>\n]*>|\*\*\[[^\]\n]*\]\*\*|\[[a-z]+\.[a-z.]+\]/blank($&)/ge;
        return $text;
    }
    if ($file =~ /\.(c|h|cl|def)$/) {
        my $kept = $text;
        $kept =~ s{(/\*.*?\*/)|("(?:\\.|[^"\\\n])* (?:\\.|[^"\\\n])*")|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|[^"'/]+|.}
                  {defined $1 || defined $2 ? $& : blank($&)}gse;
        $kept =~ s/`[^`\n]*`|\b[A-Za-z]+_\w+|\w+\.(?:c|h|def|cl|md)\b/blank($&)/ge; # names
        return $kept;
    }
    return join "\n", map { /(?:^|\s)#(.*)/ ? $1 : '' } split /\n/, $text;
}

for my $file (@files) {
    open my $source, '<', $file or die "$file: $!";
    local $/;
    my $whole = <$source>;
    next unless $whole =~ $any;
    my $text = prose($file, $whole);
    my $line = 0;
    for (split /\n/, $text) {
        $line++;
        next unless $_ =~ $any;
        for my $word (@words) {
            while (/$word->[0]/g) { print "$file:$line: \"$&\": write \"$word->[1]\"\n"; $found = 1 }
        }
    }
}
exit($found ? 1 : 0);
