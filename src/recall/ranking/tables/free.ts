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
  lateDigest: 'a972736694a69fdc11d71c7aa7388a96d87b96ea74317dd15955afb5610e62c8',
  plain: /* @__PURE__ */ JSON.parse(
    '{"features":["fusion.z","fusion.share","fusion.rank","fusion.own.z","fusion.own.share","fusion.own.r' +
      'ank","words.z","words.share","words.rank","words.covered","words.coveredOfKnown","words.count","word' +
      's.rarest","text.z","text.share","text.rank","text.level","order.z","order.share","before.own","befor' +
      'e.own2","before.question","before.speaker","before.covered","after.own","after.own2","after.question' +
      '","after.covered","near.best","near.covered","near.window","near.windowRank","session.z","feedback.z' +
      '","feedback.rank","speaker.named","length.log","length.before","length.content","length.idf","kind.q' +
      'uestion","kind.fits","kind.fitsAfter","kind.number","kind.time","kind.first","kind.second","kind.nam' +
      'e","kind.reason","kind.negation","kind.exclamation","asked.time","asked.number","asked.reason","aske' +
      'd.terms","asked.known","asked.best","asked.speakers","newness.rank"],"scale":0.38244,"calibration":{' +
      '"inputs":["score","gap","rank","words.covered","near.covered","text.level","asked.known","asked.best' +
      '","asked.speakers"],"weights":[2.0016,0.13013,-0.39689,-0.24682,1.6437,1.8255,-0.090945,-1.0053,0.25' +
      '394],"intercept":-3.1002,"answered":0.19103},"thresholds":[[0.22,0.34,0.4,0.47,0.64,0.85,0.97,1.1,1.' +
      '3,1.5,1.7,2.5,3.2],[0.1,0.11,0.12,0.22,0.24,0.27,0.28,0.31,0.32,0.41,0.49,0.51,0.56,0.67,0.72,0.79],' +
      '[0,1.1,1.4,2.1,2.2,2.4,2.6,3.1,3.8],[-0.33,-0.14,1.5],[0.073,0.57,0.62,0.75,0.86],[1.8,2.4],[1.7],[0' +
      '.2,0.57,0.62,0.78],[0,1.4,2.1,3,3.7],[0.034,0.18,0.28,0.32,0.42],[0.053,0.27,0.32,0.76],[1.5,2.5,4.5' +
      '],[0.11,0.36,0.51,0.56,0.63,0.82],[-0.88,-0.37,1.4],[0.19,0.21,0.22,0.23,0.25,0.28,0.54,0.59,0.72,0.' +
      '83],[3,3.9],[0.1,0.12,0.14,0.19,0.21,0.22,0.31,0.35],[-1.3,0.0066,0.24,1,1.6,2.3],[-0.61,-0.53,0.012' +
      ',0.034,0.07,0.12,0.13,0.18,0.2,0.28,0.3,0.48,0.72,0.83],[0.0066,0.066,0.087,0.34,0.39,0.45,0.52,0.59' +
      ',0.68,0.81],[0.0059,0.017,0.019,0.043,0.055,0.07,0.087,0.093,0.1,0.21,0.4,0.47,0.54,0.63,0.76,0.97],' +
      '[0.5],[-0.5,0.5],[0.13,0.24,0.26,0.36,0.43,0.57],[0.0026,0.0038,0.0049,0.031,0.037,0.047,0.051,0.066' +
      ',0.096,0.11,0.15,0.17,0.2,0.24,0.29,0.65],[0.0057,0.017,0.026,0.039,0.046,0.15,0.19,0.29,0.39,0.46,0' +
      '.62],[0.5],[0.031,0.081,0.19,0.25,0.36],[0.051,0.42,0.44,0.47,0.56,0.65,0.91,0.98],[0.13,0.24,0.25,0' +
      '.26,0.27,0.32,0.34,0.36,0.38,0.41,0.44,0.48,0.55,0.66],[-1.2,-0.89,-0.56,0.071,0.28,0.34,0.62,0.8,1,' +
      '1.1,1.6,1.8,2.4,3],[1.4,1.8,2.1,2.5,3.6],[-0.37,-0.037,0.59,0.77,0.84,0.92,1.1,1.5,1.7,2.1,2.3,2.7],' +
      '[-0.83,-0.76,0.06,0.93,1.1,1.4,2.2],[1.8,2.2,2.4,2.5,2.6,2.9,3,3.3,3.9],[-0.5,0.5],[1.8,2.4,2.8,3,3.' +
      '1,3.4],[1.1,1.8,2.1,2.4,2.6,2.7,3.1,3.2,3.3,3.4,3.6],[0.63,0.87,0.94,1,1.2,1.4,1.5,1.6,1.7,1.8,1.9,2' +
      '.2,2.3],[0.54,0.6,0.61,0.63,0.64,0.67,0.68,0.69,0.73,0.76,0.78],[0.5],[-0.5,0.5],[-0.5],[0.5],[0.5],' +
      '[0.5],[0.5],[0.5],[],[],[0.5],[],[],[],[4.5],[0.21,0.26,0.32,0.34,0.38,0.43,0.56,0.57,0.65,0.71,0.74' +
      ',0.75,0.82],[0.19,0.2,0.21,0.23,0.24,0.28,0.29,0.3,0.31,0.33,0.34,0.44,0.47,0.51,0.56,0.57,0.7,0.74,' +
      '0.78],[0.5],[3.2e-7,0.1,0.17,0.18,0.24,0.27,0.29,0.35,0.37,0.62,0.82,0.92,0.93]],"inner":"dDPaI[KJD;' +
      'T@]Y/K1YN6Y7-4FM1N<a[,b9`DN=KO+!6/K1`Y7276*G/0NLf26PQ[AJD;N;S,O<ZDQ7:@aJF.!QLf.@]I]5KIKYT54OPO.M794d' +
      ':E1!MXb;D39_J9YK]1KPOTXAD74K;4DQOJ<^6YT1!De0KY7<3.FE:<4e4N2G8!OH`[dT)_.1Q;g0/0O9bJQ7+^@2?OQI8d7.B9F7' +
      '4IK3bLN/7a.8656S,DDZDLgHYK1RM]PH","feature":")bG@<)`CS.b6LM))_NMFF@M@1PN*((NH*4N(QKP=?B(D`6MC)*`OOS<' +
      '((<)@8M(NM<<@3K);_N*HNP*3NH*@**E=OQ+;;QF_/=*1SM*H6?F_HIMC))F@GMEP@O*AEO(D`N=@>1NS=(;((<`Q(;(PQI<`;C*' +
      '1N=T`E@A6`N6F(<(O/;P1POK;*O))<<O_MFJMELQL(D`=K>(MQK`DK?,DN6_N4KENQQKK))`)aE@8?L>4@0*3N==NA5bQ-D`Q(NQ' +
      'M;(`@G?QN<V/D6NF=MI4<;``N**EQ<QKVD6KKFQ(D_LKN*3NNKMKD*?MK@MKFH_Pb*@(_KLA(L5J;L?SL*PQE:Q=>*8K8<@(<)@H' +
      '_U/OS2<<();J)K:O=?L`?T?EMPQJK=AQ@KA:Q(<JA_*0SEZ6<<*EN=)NKHNHNFEA^QG0J(<N_J<L80>E`NQQ(7N?2N:F5(JD`+E<' +
      '/5W2P2:K9M?LMbOW5/_6=QbJMD,9@NLL:)VSNEM;NOAF*E<`2Q;1KFE`PZ=F`DFE_Kb7HG;;KJHA^P*<bEZO9bMB=/HLEN<6b<`;' +
      '<J;9EN3S@D6>JD9@))@QMEI1III@;@10@Q@,GM@::b:,;b`LHJA_b6I+A_:KHQ4)EWO:48AI:>`ENb@`Pb_;_;,-EKVHNS(8`;HF' +
      '`b<QNFNF:QNN(bO;AN<9MQ<92REM,AANLNFCH`8:a:<H:","threshold":[".)4/3.3034.)40).42*.*304,3(+-1","2-7/10' +
      '44-5.3.*)6)*7,+(","(-(+()+(*.,+()+(()-)/0(-,","*)(","*)+*,(",")(","(",")(+*+()","(+*,)","+,,,,)(*","' +
      '+)*+(+","(())*",")+,*-(","*)*)(","-(,.+()*1001/",")(","()*-+./,","-*+),-(","5*-1(4,+2-./4)30","00.0-' +
      '1./*/..*+,/),+()/,/","553015.434/65,75-66)17*--62+55(0","(((((((((((((((((","))())))","((,,-+-)(--*"' +
      ',")15.22/4,3/556004(5*-7.+*204","22+,)0+0-1(.)/*1","((","(*),+",",**/-)*-,/++./(","-.4,1/*5,+-*4*.50' +
      '-*24(34,)2","13--.12+55)2/50*,3(4",")(+),*",",*3-*.+3112/-33)(0","(+*(.-,)*","(*+*+,.0/()-*","((()()' +
      '((()((()(((((((((((((((","**(+))*(),,(,-*((","--1+*///,-./**1/0..(/,12//)","10.001/.-/021//-.1*1-//2' +
      '.30.3-30)1*+.,224--34(",".+/()2)*,-/01-02","((((((((((((((","()))()()((()((((()(()(()(((((())","(","' +
      '((((((((((","((","(","((((","(((","","","(((","","","","((","0/*-/,-3.*+423,(1)","2/1/,992/9*02*7:5.' +
      '47+()368-8","((",")(-*,./31,-204+30"],"value":"SLHOWMHPNKOIRWPMSZ!WMVKYSWOZ^SOKNJQLOMUJSRTTKOX[RZVXS' +
      'YK!]WSMLJMLPKPPSOUMYVOWNXXWPWYPMX!SNLOMQKRTUMPNRX[XTY!VQOTWVUY[SNMLOQTOMSVQXUPROVJVUXZSZVMWZSNNPMRUQ' +
      'MLOLPTULXZVZUPOWVXUUQSWYVZUSPOUURPVWVUYNNMQLLRPNRQSXVTUNXZPRQNRTOUNMPMPMRNSTUPNSOMMPQRVXRQNWTUUNVVRR' +
      'NYYWPXZQSPNPLQMRPRNTUMWUQNMUVVUUXXYUZSOOQPUNMQOUUVUUPSLVTUTXNWNYVYSVTQPNSUVVUUQWWOOYPYPQORQTNMRSPOON' +
      'NPRRPTUOTVUURVQVUXOYYUNVSPONRRQORTUQQPSOSVVPVTQOVUXOXSPOQMRPOSTUMUTUQUPUVUXOPMSXVYSQPNQORUQTPPVUQUVT' +
      'ONUUPUNUWSXSPOROUVONNQRSTQPUTRTQUTTQVXXVSVUQPVVXQPNQOOSWORNSURSQSOUPUSQOOQOUNSRQSOTUWSOVUPUNUUUPWXSR' +
      'PNQORSMSRTPONTRUTRUQVXVUQVXSUVURVXTSPSRSOUWQPOQMRSOMUTPUSQPRNSNTOSPSUVURVXTRPTTNUOUTWSUTTMUUROVWSRNM' +
      'URQRSURMPROTTPSQRMSPSPOQTSQUPRNTSVVOVUSMTVXSUURVTWQOURQPSSTURQNTNTTRUVQVSRQORRRTQVQSTNPMQVTSSRWUUTSV' +
      'VSRQSOSNSRTQORTSPUVUSROSRTXVUXSRRSPSTNURQORSMOTRNSUQUUTSVVRSRQSQTQSTNPNQUTSRTTOUTTWVTUNXSRONSSPSRTTQ' +
      'OTTSPOUMSURWUURUPSPSOQOSNSSRQSTURQTTRUSRVWWUVRSRROSQSMTSPNSTSRTQVWQQPUVUSWVSRRQSPSOOTTSQPUOLROUSTUUR' +
      'PVOWSONTSTSOTMSUSQTXTPUWWRSRURVUQSQRPSTTSRTSUUVPVSPURPOUTRRTUPSRQPQPTPUNUSRSPNTUVRTSRSQSOTVSQPORSSPO' +
      'UTSSSSRSOTUSRTPVUPOUSRSOSTUUPRRQPTSPOTTQTPMTTTRUOSSTSSRRPNTSTPUTUURSRQSSSWOQNSSRQORRUUSSTSVRQTQVWRTR' +
      'QTRUUPUSQQPROSWSSSSTRONVRSQTQPUUQUVRSQSSSQOSSSSSTRSOURTMWRURWRXUOSQRQTPUOSSTSTOTRTUQQPLQPTSOURSPSRSU' +
      'SVSRSRTQWQPUOTVPUQTQOUTSQQTSQSSSRPSOMRNUTPUTURTTTRPUSRONUSSSSTUTVSWXRPSSQSUVPONQTSPNMTTSRQTRUTSSSUOU' +
      'XTSRWVPOUUSQPOTSSSPNUSSQSTWSTSUTXRQVUVRSSRRRRPUPRTPUSVPWTSVRWTRSPTURSSPSVSSTVRTPTTTPTUSTVRSNNUWTQ","' +
      'fine":"?-.-+1;760+/.CCA1+;392/>56F/CA1EE)-G6A?DAD053G23/.4E6D++5>.27?G?25<(F:.*F=F6B8-?/9G7B*74B03:.' +
      'G1F7B@.9+7E66G+3:88-G/>8G837E>53>69<+.14.4C648C47.*1+;-=/99A=<.,A386>?*@F78D+E9<?694/F75G.EF0;(+@0:?' +
      '5@86.:8>5EG4E:DA>+C97->4.86F89+1(2FD)5,<406=E-1:A?)+::)*2E(.G*,;3801)G42+?6A:.)/?*=4A/7,:@/8C44B70AB' +
      '2<1*1(;31GC85.88=*0CF*>+/4<E5?<C?,=B69@==7:;E3;=90AF=,D*81-1@4+?C@-:8(<7?>C<(F**,D>2*23=?D77.GB?A?A8' +
      'FF27208,F(;91G1(5A.3;08A=FE0A.@D<+,?7+GFB(B8:<52G(GAC2B?=774,A?FB@?4--,(D0>=@6=7B=94E/(,(F,-E*?0=/7=' +
      '6)9BFAF<G2A5DEF7:C,;;D.;B-9/:+?<9.B@<9F5>-4@(?((GA0E4878<B@-40554AE8F;DG4-D2F:--7AGF),?9(5E9+(4,>11+' +
      ',)B1A?;;5?@(>149<3,(3F2GA/8E-F>0C56647**5**D99?0CG/++,E069777-G..45*:,9B?2E730=2+4B.@)C?:0=49F>*0841' +
      'G5/<541/*9;G725E>95/E*6858*)(F*53CD)/8E**>DG)(+A+9(GAB),,"}',
  ) as PackedModel,
}
