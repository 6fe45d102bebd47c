import type { PackedModel } from '../packed.js'

/**
 * Made by tools/rankers/train.ts: do not edit. Trained on bench/data/conversations, written for this project.
 * Licence of what it was trained on, which holds for this table whatever the licence of the package: CC0-1.0.
 * The card is docs/rankers.md.
 */
export const free = {
  name: 'free',
  script: 'Latin',
  trainedOn: 'bench/data/conversations, written for this project',
  licence: 'CC0-1.0',
  lateDigest: 'a2f018f6b58b14ba5d8667fcce47cd8e690bd0865084165ea478b4b17c23699f',
  plain: /* @__PURE__ */ JSON.parse(
    '{"features":["fusion.z","fusion.share","fusion.rank","fusion.own.z","fusion.own.share","fusion.own.r' +
      'ank","words.z","words.share","words.rank","words.covered","words.coveredOfKnown","words.count","word' +
      's.rarest","text.z","text.share","text.rank","text.level","order.z","order.share","before.own","befor' +
      'e.own2","before.question","before.speaker","before.covered","after.own","after.own2","after.question' +
      '","after.covered","near.best","near.covered","near.window","near.windowRank","session.z","feedback.z' +
      '","feedback.rank","speaker.named","length.log","length.before","kind.question","kind.fits","kind.fit' +
      'sAfter","kind.number","kind.time","kind.first","kind.second","kind.name","kind.reason","kind.negatio' +
      'n","kind.exclamation","asked.time","asked.number","asked.reason","asked.terms","asked.known","asked.' +
      'best","asked.speakers","newness.rank"],"scale":0.38234,"calibration":{"inputs":["score","gap","rank"' +
      ',"words.covered","near.covered","text.level","asked.known","asked.best","asked.speakers"],"weights":' +
      '[1.9717,0.1052,-0.39977,0.11146,1.7464,1.5504,-0.09331,-1.2334,0.28023],"intercept":-3.0597,"answere' +
      'd":0.2097},"thresholds":[[-0.745,0.223,0.337,0.403,0.475,0.739,0.972,1.12,1.29,1.72,2.04,2.47,3.25],' +
      '[0.104,0.111,0.128,0.249,0.272,0.28,0.295,0.32,0.348,0.421,0.47,0.489,0.562,0.67,0.722,0.786,0.875],' +
      '[0,0.694,1.1,1.39,1.8,2.08,2.31,2.95,3.14,3.62],[-0.526,1.46],[0.082,0.11,0.203,0.237,0.621,0.857],[' +
      '1.61,1.95,2.2,3.34,3.59],[-0.845,-0.703,-0.564,-0.409,-0.26,0.0203,1.05,1.31,1.7,2.37,3.18],[0.57,0.' +
      '696,0.781,0.878],[0.694,1.39,1.61,1.8,2.08,2.57,2.9,3.18,3.59],[0.108,0.16,0.183,0.208,0.322,0.416],' +
      '[0.221,0.763],[0.5,1.5,2.5,3.5],[0.0997,0.36,0.41,0.512,0.663,0.739],[-0.423,0.455,0.9],[0.109,0.195' +
      ',0.204,0.213,0.243,0.254,0.416,0.542,0.717,0.828],[],[0.0251,0.154,0.188,0.206,0.217],[0.105,0.28,0.' +
      '4,1.03,1.88,2.33],[-0.38,-0.281,-0.164,-0.126,0.0701,0.0805,0.217,0.834],[0.002,0.00431,0.0131,0.065' +
      '6,0.0791,0.107,0.393,0.454,0.518,0.683,0.809],[0.00593,0.0088,0.0103,0.0598,0.0697,0.087,0.0935,0.10' +
      '1,0.124,0.189,0.215,0.247,0.287,0.339,0.4,0.466,0.543,0.635,0.761,0.97],[0.5],[0.5],[0.0418,0.0444,0' +
      '.107,0.184,0.226,0.256,0.295,0.322,0.365,0.428,0.566],[0.0398,0.0599,0.0657,0.0718,0.0791,0.0959,0.1' +
      '51,0.174,0.205,0.245,0.291,0.346,0.653,0.778],[0.0642,0.0929,0.289,0.339,0.459,0.624],[0.5],[0.0313,' +
      '0.0421,0.0535,0.0631,0.0685,0.0996,0.171,0.196,0.42,0.56],[0.0214,0.108,0.377,0.445,0.466,0.562,0.61' +
      '6,0.718,0.8,0.849,0.908,0.985],[0.179,0.197,0.25,0.269,0.305,0.337,0.382,0.41,0.553],[-1.11,-0.855,-' +
      '0.556,-0.402,0.0707,0.338,0.706,1.14,1.59,2.09,2.44],[0.694,1.61,1.8,1.95,2.78,3.37,3.44,4.03],[0.37' +
      '2,0.594,0.655,0.77,0.922,1.14,1.39,1.48,2.12,2.67],[-1.3,0.578,0.929,1.11,1.44],[0,0.694,1.95,2.4,2.' +
      '71,2.78,3.34,3.86],[-0.5,0.5],[1.8,2.2,2.31,2.4,2.57,2.64,2.71,2.78,2.84,2.95,3,3.05,3.1,3.14,3.22,3' +
      '.3,3.41,3.64,3.69],[0,0.694,1.39,1.61,1.8,1.95,2.08,2.2,2.49,2.57,2.64,2.71,2.95,3.1,3.14,3.18,3.34,' +
      '3.41,3.44,3.5,3.59,3.64],[0.5],[-0.5,0.5],[],[0.5],[0.5],[],[0.5],[0.5],[0.5],[0.5],[0.5],[0.5],[],[' +
      '0.5],[4.5],[0.29,0.318,0.378,0.406,0.426,0.444,0.486,0.515,0.536,0.575,0.587,0.696,0.825],[0.155,0.1' +
      '65,0.195,0.205,0.213,0.248,0.258,0.283,0.298,0.307,0.317,0.322,0.334,0.353,0.443,0.487,0.51,0.559,0.' +
      '572,0.672,0.736,0.78],[],[1.74e-7,3.17e-7,0.00000226,0.105,0.22,0.267,0.295,0.339,0.35,0.37,0.513,0.' +
      '6,0.823,0.831,0.931]],"inner":"dDN5IYb9!KYA6>/ZLYQ79KT4D[/:<aQ6XY^4DF+`Xf,O4Q`N71;M2FJDYLe16<Q^K:DK!' +
      '<[LO6:NQ6Z@aPF:DDLf.Y4Y[X`>KVIZ6/N2?.6NZ2!F`9NLdYPSI].G0;aHdK.G@1Y5M714DAd:<fX;O)O].1JVR74-fJ>16D7L@' +
      'Af,!@aa,dIF`QP:W`L;/4G115fJQ0F3-Q<bKd@9Mf4:K:[Z3.]Y;:7VJ@2G<B4<e@!PY_1/>(","feature":")`G@H^=<<).`LM' +
      '*1L*N<O*O<6H?](D^,KL^?(LOKD(/;<6]L]==KELK3(D^,@=M(MO;61N(D^(^@L(LD@<L3()^O(CC(NO^E?N)D)Q+M@*?TM@Q?(<' +
      '(]5.@?=QU<>(()<LMC@)LFM@?L**^L4L^D,]L8LH*1NLA**LM@-D6L);<)RMM?<G@?*M,F,MKO=8@>CMO`.D^L@=DK9.LDD^(D6=' +
      'QRK(;(OKD3)DL^I)N@1LQNA0(O^LH**?LL;RM<(=O9FDK6]JO@EL*?L*^QU^FLLI^F/DL^@<.M@CE^LM(<OG]FM=O(DL=C))0F<L' +
      'C.JO5CL<*?MM;6`AMJ;B,H*NQO)<2M<O)O<N)TKL^K^L?MD9?*E^NQ]<`QL2<](<KHENM@G6F.MAHM(K]L+J?L@EJKQ9O;0K^)<;' +
      'I^))O8)<N;060MH89N0ROG?M@F]:B91.M*KLEMJ<`FMAG<(JK?=Q@U:DE4W?^:QLMDM*(DM`:`@`OG=?M<J5G30M*<ELF`;4-L,L' +
      '3M;`L6FLM;X2F6>GH3K)<?M8CU@IM)=ME)]M]AXHG(E3E!9KM;BM<KI//(9VLQE^E91?A^/1L!O@GL@EF^AT,E@>K[O<O@=:K:C:' +
      'B.Q=G*J-<H-G`.`;EKJO.`0.`J94`)E^MEI<0U-1*W<M4D:4C:D,^V;`)-NE`^;^F@^4@4BE=9Q<A]YM>6]?<<","threshold":' +
      '["/43.3/)3.*40+40/(4-1.3,*34/2","3/-4+-84,506,7(151)5(8*.2","(.*(+(+(.(1(-(-**/0,)0",")(","(*+,+)-)*' +
      '","(,(+*)","0+/2,)1-)(*.","()*+*","+*(,/.)-0",",,--+*()","))(",")))*+*(",",+*-,)(*","()*",")-.**,0+/' +
      '1(1","",",()*+",",-)-)*-((+-",",*.,/()-+","100)20.10/-0,0(*+","98-8619489,.*:9(642(5788)/42:,;+*9320' +
      '","(((((((((((((((((","(((((","+)11,120-2-21*1-0/,2(.",")*/34-10.-.0*42,1010(4).*+0.5","*-)+,++((","' +
      '(((((","-+(0).*1/,)","+..,*.-+,3-0+/02/3)(213.",".--0*+,+-*./0-.*(0*).0","0/10.+.--*(2,*)","*/+(*.*-' +
      ',)*,/",",)-*+1/1(.0",",+*))(","/)*,++(-+.)","(()((()(((((((((((()()(","01/-.1)4(-2++,/-*/,.4.++.0+06' +
      '*/31-+(87+4*.+89(58:0","2-656-*2/1847096/6),+652<.54:=26:-34,7(+7;,84-","((((((((((((((","(()()(()()' +
      ')(((((()()(((()(","","(((((((((((((((","((((","","(((","(((((","((","((","((","(","","(","((","*(1,)' +
      '312./+-4/0","21,03.*<4=556):<-=:)=7;-9/988(+02","","+)*-(/4632*.-015,-"],"value":"SLHPUKHPMQNTJJWVTQ' +
      'X[!WMYSVO[^S!XS[]PSTRLSUQWQXKLLJIMLRNSMRSMKOLPJPKQNRLSPUYVQOXXPXWUYZ!SONMLPKOLPSOSPUVSPXYYVQWOX[W[SN' +
      'MONQSMLQOTNTXUVPVUQVYOZWXO[SNMOLQORMSUNVOXUROTUNWUYYNZWZSNMQLPPNQTOSVQWUVQWWVXQNZWXPZSONLONMSQRTTONW' +
      'YWXQZUUVUSVWSPSOONPNRMRVXNQTWUTQPNUSVWWOYVZSPNMRQORMRUQROWTQOTNUVVRXWOWZSWXUNVYPYUPVVPPOMQMQNRQTSPTR' +
      'USWUVQVWSOYYUPSORLTURVQONMPQNRSPOONPNQSVQTVQVTSRVUVSPWXYVVPSQPORRMSOTOTRNSTPVWOVTUTWPWOXSQOQNRSOMRQT' +
      'SVVPMWVUSQUVUYXUYSPONPRQONSSQUTPTPUUTPUOUTWXTXSQPNQRQUOMQTTUQNVUOLUUUVQNUQXSPPSOTONQSTPUWURVYTQONSUX' +
      'RUSVSQPOOORVRSRMRQSPTVVPVQSMVUOUWSUSQTVWVSPUXYUUTRUWQQNQQRPORTSRQOQRRPSRTPNTTUSWQPUNUUSTNVXSQQNRMQST' +
      'QPTVROUUQUTSQTVVUOVXSRPRONRSRPSURVRUQVUQUOVUQUSVXSTTTPUTSURUVQNSWQSVRQPOROSSPTSUUTQUVTRXWRPVNLTVROSO' +
      'SRRRNTTSQRMRMRURNTONUTSSSROTTQUOVVWUSRRRQROSQWQTMMTSRQPTVOXUURPUVSONTSRSSSWSQPTTQPNMTUVVTWSSTOSQNRSO' +
      'TQRPSNTSRSRTPSNTOTVTSWWSPPROTSONTTSRRQSPTURVUOVUTVPVSRRRQSQPORTTNTVSTTQSNTTUTUOQVSQSPSSSSSTRQSRUUQSR' +
      'WNPNRUUVPSSOSQTSSTRQSTRTQNUUUVTWTRVQVRNSOSSRQRQSOUNTONSSRTUVOQTTPUTWSRPRNSRSTPPUTSSSSRTUWROUVWSRWSQS' +
      'PSRRSRTVQPVQPRTSQUVRVTUUWSSRPUOSSSTUQQPTURQUTTSTSUQVQWVSOSSSRSQPOQLURUQTPSSUSQTOUUTVSOSPSSSSSSRSPTPN' +
      'STPTQVRWUSXQWSSQROSSSRQTUUTVRXRUQVSVRPURTOSSPSSSRTRPUQWURQSURMSTSTUTWOVSRRQROSSSVSUQWTRUUUSPVRUPMTWO' +
      'SQRUQORQVNSSTTSTPTOUVWRRORROTSPOTSQSSSSRRQSVTQUOTQTPTSUPVWSRQSURTUSTRUSQQONSSOTTSOTUPWSSSOSSQTVSTUVT' +
      'RSOSUSRQQTRWTPUUSRSSSOSRQPSUPVTSVQRSOMPNTSUVRSRRRRQTUQOTPSRUQPTTTPTNUTQTTVSSSTUSRTRWPVRSSQTPPOSPWTQP' +
      'OSVSRRQSSRQTUTXQUNUTTSUSRTSTOWVN","fine":"6B.>B/)+(.4E5(B=.B6E;;9/=-F-=/2:.+8B0)8.6B>09-;,>*,:E/6C6-' +
      '>@14F(6(.E*=;A@B/<(6E74-4FE>A*(:-CC;?6-<)E5265BD:C4E)6*?:(DF=>20::)27:CG4B352?*A@F:/718?*?F3=C*ECE4,' +
      '6>0=0,6C67)D609-/(92B=.F;268:8E;>-9C5,;+*5;G;)48<)3?2:8C.9A/*7=A.=-296*2G)@7A-?3381?.D=:+DE01:G052=G' +
      '(/:.D4+14/D=,<G<A<(+F<-7;9;7A=G(07@F35C4?)-7(<+1G-<6;1*(38D@2>D,,;+.76-30G3/+*7F5;)8@72C;A=BEC8<>AD8' +
      '38<09D4;B@G:A3<,>DD:,?5@F7B,0A?2DA5-2;CB.B*A<32()=F+10>+:G>1,3.?2;)D3F*)9B2*60,;82.:(/5D1=8?(<-D,2=/' +
      '-=)?2=@C+=6263-7B<>,35=)9)<-49D3B-)6GC=0@CA07154653)4A-A.7,((3E/20+820517)FD@BE,:;1>8C3-,91@D21:9=?+' +
      'B+:14/=(??1EF=2=39,>95C=3@+=7?23129=3>75>E,E<6A:A.)-F32=7.E20F*8)BA-4>.G<2<.4:;A2>8)9-:>D@/>B9(@><=@' +
      '*,E44>,0D6>9C/8*:D>7F4(74,7?36=.C58@C@(46D(FE/+E11AG46<*8F*(/7G*E;7?0C=3,@*B,E))+(,<@+;=(5(5"}',
  ) as PackedModel,
}
