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
  lateDigest: '52aa9b987ff09a188953087529b3c3136c8ab0f0580d10465a5ad30dd7073c64',
  plain: /* @__PURE__ */ JSON.parse(
    '{"features":["fusion.z","fusion.share","fusion.rank","fusion.own.z","fusion.own.share","fusion.own.r' +
      'ank","words.z","words.share","words.rank","words.covered","words.coveredOfKnown","words.count","word' +
      's.rarest","text.z","text.share","text.rank","text.level","order.z","order.share","before.own","befor' +
      'e.own2","before.question","before.speaker","before.covered","after.own","after.own2","after.question' +
      '","after.covered","near.best","near.covered","near.window","near.windowRank","session.z","feedback.z' +
      '","feedback.rank","speaker.named","length.log","length.before","kind.question","kind.fits","kind.fit' +
      'sAfter","kind.number","kind.time","kind.first","kind.second","kind.name","kind.reason","kind.negatio' +
      'n","kind.exclamation","asked.time","asked.number","asked.reason","asked.terms","asked.known","asked.' +
      'best","asked.speakers","newness.rank"],"scale":0.31937,"calibration":{"inputs":["score","gap","rank"' +
      ',"words.covered","near.covered","text.level","asked.known","asked.best","asked.speakers"],"weights":' +
      '[1.3392,0.49228,-0.63454,0.52053,1.8039,1.5935,-0.1933,-1.0917,0.25566],"intercept":-2.7122,"answere' +
      'd":0.21905},"thresholds":[[-0.0238,0.184,0.484,1.18,1.36,1.57,1.84,2.2,2.76,3.69],[0.108,0.121,0.129' +
      ',0.146,0.208,0.247,0.269,0.276,0.346,0.429,0.485,0.57,0.635,0.724,0.87],[0.694,1.39,1.8,2.08,2.2,3,3' +
      '.22,3.53,3.59,4.1,4.25,4.4],[-0.612,-0.304,0.0107,1.35,2.89],[0.0736,0.138,0.506],[0.694,1.8,3.79],[' +
      '-0.636,-0.126,0.646,3.86],[0.0928,0.0996,0.129,0.395,0.504,0.582,0.708],[0,0.694,1.95,3.34,3.9,4.03,' +
      '4.49,4.56,4.61,4.66,4.78,4.97],[0.0461,0.32],[0.205],[1.5,2.5,3.5],[0.481,0.567,0.61,0.66,0.705,0.86' +
      '3],[0.574,1.44,1.7,2.04,3.54],[0.12,0.172,0.201,0.403,0.488,0.818],[1.8,3.41,4.39,4.56,5.16],[0.0618' +
      ',0.111,0.155,0.202,0.243,0.353],[-1.3,-0.525,-0.295,-0.0786,0.0263,0.205,0.939,1.08,1.49,2.21],[-0.1' +
      '52,-0.134,-0.0643,0.0326,0.0571,0.124,0.169,0.255,0.273,0.394,0.502,0.548,0.696,0.848],[0.0016,0.005' +
      '52,0.00683,0.0201,0.0579,0.0843,0.108,0.209,0.243,0.384,0.535,0.644,0.832],[0,0.00441,0.00717,0.0116' +
      ',0.0166,0.0206,0.0308,0.0337,0.0702,0.0811,0.0871,0.107,0.159,0.192,0.218,0.255,0.309,0.469,0.592,0.' +
      '782],[0.5],[-0.5,0.5],[0,0.0288,0.0368,0.109,0.154,0.177,0.19,0.204,0.223,0.246,0.278,0.325,0.423],[' +
      '0,0.0167,0.0219,0.0352,0.0505,0.0583,0.101,0.121,0.134,0.149,0.166,0.191,0.224,0.314,0.519,0.632],[0' +
      '.000602,0.00491,0.0283,0.031,0.0401,0.138,0.148,0.173,0.219,0.31,0.379,0.468,0.593],[0.5],[0.0509,0.' +
      '0823,0.113,0.162,0.187,0.277,0.423],[0.0275,0.0311,0.0384,0.0419,0.0559,0.0596,0.179,0.431,0.458,0.4' +
      '85,0.551,0.678,0.794,0.986],[0.121,0.196,0.251,0.266,0.304,0.33,0.365,0.411,0.477,0.636],[-1.16,-0.9' +
      '36,-0.841,-0.803,-0.676,-0.445,0.0428,0.0825,1.16,1.47,1.67,2.64],[0.694,1.8,3.1,3.56,4.58,4.82,5,5.' +
      '04,5.16],[-0.552,0.684,0.749,0.834,0.925,1.02,1.11,1.21,1.32,2.42,2.8],[-0.644,-0.616,0.755,0.827,1.' +
      '17,1.69,2.13,2.46,3.03],[0.694,1.39,1.8,2.78,2.9,3.34,3.86,3.96,4.07,4.28],[-0.5,0.5],[1.8,2.2,2.31,' +
      '2.4,2.49,2.57,2.64,2.71,2.78,2.84,2.9,2.95,3,3.05,3.1,3.14,3.18,3.22,3.3,3.37,3.41,3.44,3.47,3.74],[' +
      '0,0.694,1.61,1.8,1.95,2.08,2.2,2.31,2.4,2.57,2.64,2.71,2.78,3.05,3.1,3.14,3.18,3.22,3.26,3.3,3.37,3.' +
      '5,3.59],[0.5],[-0.5,0.5],[-0.5],[0.5],[0.5],[],[0.5],[0.5],[],[0.5],[0.5],[],[0.5],[0.5],[],[0.237,0' +
      '.433,0.638,0.653,0.702,0.736],[0.138,0.179,0.229,0.237,0.245,0.26,0.267,0.291,0.299,0.317,0.353,0.43' +
      '2,0.509,0.525,0.56,0.574,0.68,0.756,0.819],[],[0.0289,0.0424,0.0589,0.0732,0.101,0.178,0.222,0.224,0' +
      '.261,0.307,0.349,0.363,0.528,0.593,0.636,0.79,0.829,0.861]],"inner":"bF9;1^;LD;T5V+/L!F17@N7*E;JDLe.' +
      '5@Yc,E:;YQKA/KXDB7I78!F:O1@f1KQ1`!O1KRO,a/N:DA6E95JFD6:@fXD2Yc,NB;M;KK/XU.>6T;XTEXG*@f-LSIbXBAKR@V6.' +
      'Q`]979XVXDb1e(c@3PQf*?2:b7J@Od8OX7+NN4GX;1XcY;0QYa3:Je]10OJFZI717/,BF/O(c4dHYYV@F*cRY0O!IZA3f6*:E<a-' +
      'L`_@JQNe92;!!NJO/[-17+7P4ER3.L^3VL1!dJB;dIQ@O.O347O@4:?VLJ@","feature":")`)]D^*+Q+N*?`/DL/0CNLM;1NL5' +
      '(<)0O)K<ON;)?O,D,HH=H@EQM253(<^LM?(=M?L<O()D)L(=M@@(LMML)D^LK=??KL?<)K(<^KOM)(;(O;M3/D^L=LE>AEO7L<()' +
      '<^NCO(*3N<ON(<NJ`O(N;K<3N:()]L<L;?LQA0^N*?LO<^:KD^LKLK(D^L=(@(ELTL+^/F6Q<MM?<??MM<?^LO=,OE-EOH]O))<N' +
      '<K=;0EK4KA/=L;J0^;<^5.EL*)M^OHK^QO)KO0*CMKOLL*LQD]IK*ELOKHLMDH^K@D*(QL@L3KLLQK(])HL)`E;EN@LKHOE^LM`^' +
      ')<^;LM^N*ELM@OMKHLKO0ME^NL)OQOPE)<EL?=J0I<^K)<^Q^L*OM:MOF0IM;7*0*?NMKQ9=KN^JCO)LOM;K^J^NOLJ^ENKMJ80K' +
      'QLM:*CE^@DON<O:<OX:1L*LM:@<X;J*M*<4N^FB^080AU4F8OZHL?`L@/9?/>H)D^J@9FAA?@Q^=E^L`]@E^04+<HLOQ:>=O:A*D' +
      '<JA1)N?>L<98<H<MIMLQ=I*E^N`X66`3LM;;L*8J;`G56`KGTOZ;M?X=I;A*EM);F?)UG>EGHMOQ0E)M5>7M<Q3O)LMOE@`LF@[M' +
      'F6E>NDG(::D::=I>LN)>MF]-4M9HMH*<@?<>*``MK6GRKH;H`I=A0`0@C9LAHKT:AFW]B:LAL;MMC9LM*<785QE^@HM@=*A?4UC?' +
      'OF^FKJO=::LK/:6T)F(A9G9GQA=A`<*LO)IF*`D0;D4`KI<G<<W`Q?F5@(JB@J@<<DG:@OO?7KJH.J-^DH*.LDQD:U:M=+8*;ILD' +
      'I9.4BD998D^B","threshold":["+.+1/1,1/-+,1..)+1*0(,","1,.643.26/..4-6(3+6)3666()0*(6(5","-+(+,,()++)/' +
      '+()1.(*(*,++*0233","*(,+)","*)(","()*","(+)*",".(,.-*+)",").(11.21)10-1,*/+3","))(","(","()()***","(' +
      '+-)+*,+",",*+*(+)",")-*(,+-","(*)+,",",,+)-(,*","1-+).+/0*1(,","51455)235(-,+,)4./*,0","241031/3/142' +
      '34.(3,/)3-*+",":79:.9-9:929:/919:08;;5+309,)9*46:(;6:4264","(((((((((((((((((((((","))))()))))","+4.' +
      '303042+340,40/)41(+.*-,","/673/.25000.*44,140-1()+","441402,+3/)(.3-*1","(((((","(*.).+,-","1242203/' +
      '//,552,*)5.25+5-(",".,/0,1/0+(-*+*10+-*)*+)-.**","0231*/(,.)2-0)+","*(.,/0+-0)","),/020.*22/2+-2201.' +
      '222(",".(*,/*(+0)-0",",0,+--.(001*/)*0","((((((((((()(((((((((((((((((((((())(","0.+-450(,+,)/+//1-4' +
      '//<.13)9161?(;1.+*:<,(.7*<:(=6/+/(*2-;8((>63,1?(","179,.2=38657(88275:;48<,)5<1;<*,/-;07)7,>,.-+(/7+' +
      '","(((((((((((((((((((((((((",")(())(()(())(((()))((()((((()))()(()(()(()(((","(","(((((((((((((((((' +
      '((((","(","","((((","((((","","((","((((","","((","(","","))-,+*-(","3/111(:5019375:772.974+9:897)29' +
      '3694-44*-,","","+*/5103-9)8+6,.7/4(2"],"value":"SLIGLQKRPRMKTUQXJXPZ[R]^U_UMZSOMJOLTKQVPSTPSLVSYJZVW' +
      'OXL!X]SMLKOMLRRTYUMVUOUVUSWYOZ[YSY!SNMLKNONSUQNTVNXYVTULVNWSX[X[SNMPLRRRXLLKQTQUOVYVSRQVYXZX[SNMLPMR' +
      'QWROSUMNUUOXVQTMWWPZNZSNMPLQLRLRONSTWUMVPVURVXYWOXZSNNPKQPQNTLLNSWUTQUOVVNWXRYXZSPNPLRMSQMRPTUVVPMWU' +
      'PVVSWSOUYSONMSMRRRSRQUUPNWXUVPYUTOUUPYSONOQTPNLSOTVUUTMUSVXNXWWSOWYSPNQMRMMQROSRUWURPUVVQXYVXXPPSVTQ' +
      'POUVUVOXWQWYOOQNRLRMMOSMTSPNPNRMRQORSOTSVVURRLVUWXUWOYSQPNQPSQTUPSTROUUPNSWUVPVQMTXSQRONTSROSTPTNMRV' +
      'XVQWYTRUQVQVSPONRRRRNRQSRUVNMUVUMURMTVXXSSQONMRQRRSNVOSRPQMSSWUPVVURUXSUTTUQUUOUXOPWVTRWWYPNQMRQPSTS' +
      'UTUPUTQUWPMUWXRQNNQRPRONTTNTSVTRUVSWRWUXQOQOSMRQRNRNTUQVRSUTRQROWUVMWVPVUXYQONQRNRQSPSSQPNQORRTQPSRT' +
      'USTTPUQOVRWVRVYSQROSSUUQRONUTSSRQTVOVVQVUVOXSUSRSSOMVVRVVSWSQVQORNRQQROTTSQRRNSQSQOTSNMURSOMUUSSVVUR' +
      'UWSQPROOSNUSRTQVTPUTSSOVVTSQUXWSURUVSQVRRPOTOSSRTQPSPUVOTOMTSTTTOTOTPVTRPUWWRNRRSTRSPSPNOSRPOTSSSOSS' +
      'PUPROUTUTSQVOVVWOWSRRNSSSRQQSUONTQUTSTPOUUVWTUPSRSSSRSOTVPPNQURUUTRUVVRMTWPXSNSUTTQOUVRSRRQUQUTVPTTU' +
      'SPPOTSRSSSRRRTPSSVUOONUTUSRQLRVUUPSQQPORSMSSTQURSQTRUPOQLVUUUWQSRRRSSRPSTQQPOUUUQVQUNUSSPUWVSRRPSTTU' +
      'UQQRTPNSRRROTQUNTRUSUSQOOSSSTSRQVTRVTVTSPSTQUWTRVPSPSTSSPTSRTQMRPTTTRUXTPNTVQTPSPONMSUTVQSSSSTRRRUUQ' +
      'VWQOOTTWSRSRTQUSWPSOTSTSVSURTSTQWQPSVSPTONSSQRQSOTNTSSRQSTSSUSPUUUSRSPSRSNSUVRSRRTUPQPTNTOTTUSVSQPRN' +
      'SSSQSSTTPSSNSNQTTSRQTWUVSPSSSQSSSUSSQVQPOTSQTOUPUQTSUSRSSQPSRVSTSPOTSOMUSTRUTPTVVMSOSSSSSSSRTQTSUVQS' +
      'VNPOVUSUQOSSTSTRNSPTTOVVWQXSVQPRPSSSOQSOSPONSTSSTRQPPSQPUVSQTSTTRNSUQSOSMSSOSSSTOUVQVORTSUQTPNRUVQSR' +
      'RSPTUQQPORUPTUQSSRUSXWTSUSUSRSSQNTSTTSRUUUWURSPTRURSPUOVSRQSPUPTSQUOSSRRSPSRUPVTTRSNUSSSQSSTRSQQUTQS' +
      'ORPUNTSTQOSVVRSTSUVRWRSQSRROSRQVQPUSQSTUTSWSSURWPXSRRSRTQQSPTVRTSNSPTUPUSSRSSTOUROSUQTSTPUNUXURPUVRO' +
      'RSRQPVSSQUONTSSSSTRSRPSOSRQUWTSSSRTQVRQRTQOSNSOSSSRTTTQUUTWSPSSSSSRQPTOTNSQUSNSTTWTTSTPU","fine":"87' +
      ')/9A1@342;(A7-+D>@1-B+/D9F8:6E,-0*A/)A73AGC:9F*5.>=7855B-@F5+GB.<(E:D331/;+<.(:,@57B8,95:5/7B?C;>9<)' +
      '>-4E</31E<=F:7<<*7D1,;57?@<>=9G*8<2;CCG0)<,2D7>336B>;<EB<+4>EGC?<6368F*8=(>;+9;-2,-(47,?D)*;)80;)793' +
      '=GD30/7-@-=+0A7FDF76C;DB67,7E65G61,-6C>9F:?G+2/,58+;@FA-9B@E4-E02CD59(5>(:@BA05<7<5,<,.E(-70,@:3?D.=' +
      '(@A.><=C@3/+(@7974B=(85G,98G;<42::F?.3*5AD*3FFBCE69=9C;;CB=4E*<-,(-,65B341.1,E)6:*:)8(D2<*42(32<G(:+' +
      '<;@-+A?A)F(FA3E5G/9@C,7C0B5BF=BD39:>>-G:;C6E929G>G)G7->6G@2B55>.:C;A0<1E=?1E=>>A?/6173677<*@*3.42.,B' +
      '<B+35?E((?@:B(FF0*<D*<1)7=>A2,F=)9E;:9<BDEAD=:4015E*:/57G;C3B4@=,=5F5*.D2;6;,?2C*?-B=3A5F23+;:C(84(-' +
      '*/;D/<C@)<CE.F**55.767<,4GD+D(<?<-F3,B,9)2+0F01E<C9FA1D)02E::D0*?G0AB;0@<?-<5+.FB40(588F1)2E)+56>E/9' +
      'A?4-/+G/@+?(;15-/97A9.*(8AG99@3392GF00A7D:4FGD;4;2E5(:@/75+(0FD95F58E(-A0EA/C,:/)=,@/23:),A746?7(029' +
      '-+6BBG>9;C=?3G5:;)F@AC(82*A0-F+,?:2/476?<.)D,+G02.-7B?/1=1-<DC7F,)4D7...3B0)<<>:5)85=46F<,/>F:,9<8"}',
  ) as PackedModel,
}
