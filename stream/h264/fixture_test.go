package h264

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// A fixture is a file of testdata: 20 pictures of 96x64 at 25 frames/s
// (high422: 3 of 50x34), made with ffmpeg 5.1.9 and x264:
//
//	X="ffmpeg -f lavfi -i testsrc2=size=96x64:rate=25 -frames:v 20 -an -c:v libx264 -preset veryfast -threads 1 -crf 40"
//	$X -bf 3 -x264-params keyint=10:min-keyint=10:scenecut=0:b-pyramid=normal:b-adapt=0:aud=1 bframes.h264
//	$X -bf 2 -pix_fmt yuv420p -x264-params keyint=8:min-keyint=8:scenecut=0:b-adapt=0:slices=4 slices.h264
//	$X -profile:v baseline -pix_fmt yuv420p -x264-params keyint=10:min-keyint=10:scenecut=0 baseline.h264
//	$X -bf 2 -vf interlace -flags +ilme+ildct -x264-params keyint=10:min-keyint=10:scenecut=0:tff=1:b-adapt=0 mbaff.h264
//	$X -bf 2 -x264-params keyint=50:open-gop=1:intra-refresh=1:scenecut=0:b-adapt=0 refresh.h264
//	$X -bf 2 -x264-params keyint=6:min-keyint=6:open-gop=1:scenecut=0:b-adapt=0 opengop.h264
//	$X -frames:v 3 -vf crop=50:34,setsar=40/33 -pix_fmt yuv422p10le -color_range pc -colorspace bt709 -color_primaries bt709 \
//	   -color_trc bt709 -x264-params cqm=jvt:nal-hrd=vbr:vbv-maxrate=500:vbv-bufsize=500 high422.h264
type fixture struct {
	name string
	keys []int // access units with an IDR picture
	// shown is the access unit of each picture shown, from
	// ffprobe -threads 1 -show_entries frame=coded_picture_number -of csv=p=0
	shown []int
	// sizes are the bytes of each access unit with its start codes, from
	// ffprobe -show_entries packet=size -of csv=p=0
	sizes []int
}

func fixtures() []fixture {
	return []fixture{
		{"bframes", []int{0, 10},
			[]int{0, 3, 2, 4, 1, 7, 6, 8, 5, 9, 10, 13, 12, 14, 11, 17, 16, 18, 15, 19},
			[]int{1218, 137, 84, 76, 57, 167, 92, 39, 72, 89, 686, 162, 70, 85, 20, 181, 106, 67, 71, 126}},
		{"slices", []int{0, 8, 16},
			[]int{0, 2, 3, 1, 5, 6, 4, 7, 8, 10, 11, 9, 13, 14, 12, 15, 16, 18, 19, 17},
			[]int{1241, 213, 102, 80, 165, 85, 81, 108, 717, 184, 98, 101, 173, 110, 48, 136, 692, 185, 142, 86}},
		{"baseline", []int{0, 10},
			[]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19},
			[]int{1165, 74, 92, 93, 80, 94, 74, 94, 96, 74, 683, 87, 80, 25, 54, 82, 63, 84, 88, 115}},
		{"mbaff", []int{0, 10},
			[]int{0, 2, 3, 1, 5, 6, 4, 8, 9, 7, 10, 12, 13, 11, 15, 16, 14, 18, 19, 17},
			[]int{1195, 216, 93, 58, 201, 56, 40, 180, 59, 64, 622, 186, 72, 55, 187, 67, 49, 141, 64, 50}},
		{"refresh", []int{0},
			[]int{0, 2, 3, 1, 5, 6, 4, 8, 9, 7, 11, 12, 10, 14, 15, 13, 17, 18, 16, 19},
			[]int{1211, 164, 67, 47, 134, 43, 49, 175, 56, 37, 207, 78, 61, 113, 29, 50, 144, 66, 49, 132}},
		{"opengop", []int{0},
			[]int{0, 2, 3, 1, 5, 6, 4, 8, 9, 7, 11, 12, 10, 14, 15, 13, 17, 18, 16, 19},
			[]int{1164, 162, 65, 52, 573, 35, 57, 148, 48, 35, 618, 77, 59, 115, 33, 54, 571, 67, 60, 110}},
		{"high422", []int{0},
			[]int{0, 2, 1},
			[]int{1030, 63, 41}},
	}
}

func read(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name+".h264"))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestFixtures goes through a file as the sender does: NAL units, access units,
// order of showing.
func TestFixtures(t *testing.T) {
	for _, f := range fixtures() {
		t.Run(f.name, func(t *testing.T) {
			data := read(t, f.name)
			before := slices.Clone(data)
			units := Group(SplitAnnexB(data))
			var keys, sizes []int
			for i, u := range units {
				if u.Key() {
					keys = append(keys, i)
				}
				sizes = append(sizes, streamSize(u))
			}
			if !slices.Equal(keys, f.keys) {
				t.Errorf("key units %v, want %v", keys, f.keys)
			}
			if !slices.Equal(sizes, f.sizes) {
				t.Errorf("units of %v bytes, want %v", sizes, f.sizes)
			}
			checkShown(t, units, f.shown)
			if !slices.Equal(data, before) {
				t.Error("the input was changed")
			}
		})
	}
}

// streamSize returns the bytes of a unit with the start codes of x264: four
// bytes at the front of a unit and before parameter sets, else three.
func streamSize(u AccessUnit) int {
	size := u.Size()
	for i, n := range u.NALUs {
		size += 3
		if t := TypeOf(n); i == 0 || t == TypeSPS || t == TypePPS {
			size++
		}
	}
	return size
}

// checkShown compares the order of showing with the units listed in it.
func checkShown(t *testing.T, units []AccessUnit, want []int) {
	t.Helper()
	ranks, err := PresentationOrder(units)
	if err != nil {
		t.Fatal(err)
	}
	shown := make([]int, len(units))
	for u, rank := range ranks {
		shown[rank] = u
	}
	if !slices.Equal(shown, want) {
		t.Errorf("shown in the order %v, want %v", shown, want)
	}
}

// TestReferences compares the flags of the first group of pictures with
// ffprobe -show_entries frame=coded_picture_number,pict_type: of the B pictures
// only the middle one of three is a reference (b-pyramid).
func TestReferences(t *testing.T) {
	want, got := "RRRddRRddR", ""
	for _, u := range Group(SplitAnnexB(read(t, "bframes")))[:10] {
		if u.Disposable() == u.Reference() {
			t.Error("a unit is both disposable and a reference, or neither")
		}
		if u.Reference() {
			got += "R"
		} else {
			got += "d"
		}
	}
	if got != want {
		t.Errorf("references %s, want %s", got, want)
	}
}
